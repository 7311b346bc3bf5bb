#pragma once

#include <malloc.h>

namespace shared {

/// Lets the heap keep what was freed, up to the limits that glibc's own adjustment may reach (mallopt(3)). By default,
/// the heap of some processes shrinks and grows with each answer of some 30 kB, and that of others does not. Of the same
/// app, some starts would need a third more CPU time than others.
inline void keep_freed_memory() {
  constexpr int LARGEST = 32 << 20;
  mallopt(M_MMAP_THRESHOLD, LARGEST);
  mallopt(M_TRIM_THRESHOLD, 2 * LARGEST);
}

}  // namespace shared
