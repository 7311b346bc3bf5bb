#include "dto.hpp"

namespace {

namespace classes = oatpp::data::mapping::type::__class;

using oatpp::BaseObject;
using oatpp::Type;
using oatpp::Void;

template <class Class>
bool is(const Type* type) {
  return type->classId.id == Class::CLASS_ID.id;
}

template <class Class>
const auto& dispatcher_of(const Type* type) {
  return *static_cast<const typename Class::PolymorphicDispatcher*>(type->polymorphicDispatcher);
}

BaseObject* object_in(const Void& value) { return static_cast<BaseObject*>(value.get()); }

}  // namespace

void check_complete(const Void& value) {
  const auto* type = value.getValueType();
  if (is<classes::AbstractVector>(type)) {
    const auto each = dispatcher_of<classes::Collection>(type).beginIteration(value);
    for (; !each->finished(); each->next()) {
      if (!each->get()) throw shared::Misfit("null is not expected in a list");
      check_complete(each->get());
    }
  } else if (is<classes::AbstractObject>(type)) {
    for (auto* field : dispatcher_of<classes::AbstractObject>(type).getProperties()->getList()) {
      const auto member = field->get(object_in(value));
      if (member) {
        check_complete(member);
      } else if (field->info.required) {
        throw shared::Misfit(std::string(field->name) + " is missing");
      }
    }
  }
}
