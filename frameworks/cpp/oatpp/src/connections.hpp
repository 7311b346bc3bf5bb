#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <memory>
#include <oatpp/network/tcp/Connection.hpp>
#include <oatpp/network/tcp/server/ConnectionProvider.hpp>

/// Accepts connections that send at once. Oat++ writes the head of an answer of more than 2 kB before its body. The
/// system would hold the body back until the client has acknowledged the head, which takes it 40 ms.
class Connections : public oatpp::network::tcp::server::ConnectionProvider {
 public:
  using ConnectionProvider::ConnectionProvider;

  oatpp::provider::ResourceHandle<oatpp::data::stream::IOStream> get() override {
    auto connection = ConnectionProvider::get();
    if (connection) {
      const auto tcp = std::static_pointer_cast<oatpp::network::tcp::Connection>(connection.object);
      const int yes = 1;
      setsockopt(tcp->getHandle(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    }
    return connection;
  }
};
