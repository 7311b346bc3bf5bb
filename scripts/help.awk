# Prints the targets and variables of a Makefile, from its comments:
#
#   ##@ TITLE                    begins a group
#   TARGET: PREREQUISITES ## TEXT
#   ## VARIABLE=EXAMPLE  TEXT    is printed at the end
#
# Lines are at most 80 columns wide, or `columns` where the terminal is narrower.

BEGIN { width = columns > 0 && columns < 80 ? columns : 80 }

/^##@ / { printf "%s%s\n", titles++ ? "\n" : "", substr($0, 5) }

/^[a-z-]+:.*## / {
  text = $0
  sub(/^.*## /, "", text)
  item(substr($0, 1, index($0, ":") - 1), text)
}

/^## [A-Z]+=/ { variables[++count] = substr($0, 4) }

END {
  print "\nVariables"
  for (i = 1; i <= count; i++) {
    gap = index(variables[i], "  ")
    item(substr(variables[i], 1, gap - 1), substr(variables[i], gap + 2))
  }
}

# Prints a name in a column of its own, and the words of the text beside it. A name that is too long has its own line.
function item(name, text,    words, number, at, line) {
  line = sprintf("  %-17s", name)
  number = split(text, words, " ")
  if (length(name) > 17) {
    print line
    line = sprintf("%19s", "")
  }
  for (at = 1; at <= number; at++) {
    if (length(line) + 1 + length(words[at]) > width) {
      print line
      line = sprintf("%19s", "")
    }
    line = line " " words[at]
  }
  print line
}
