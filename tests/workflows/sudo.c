/* sudo for the tests of workflows: `sudo [-n] COMMAND…` runs a command as root, for those who may execute this file.
 * It exists only in the temporary folder of a test, owned by root, with the set-user-ID bit. */

#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int first = argc > 1 && !strcmp(argv[1], "-n") ? 2 : 1;
  if (first == argc) return 1;
  if (setgroups(0, NULL) || setgid(0) || setuid(0)) {
    perror("sudo");
    return 1;
  }
  execvp(argv[first], argv + first);
  perror(argv[first]);
  return 127;
}
