# Doxygen's view of a header (sed -E). Lines stay lines, so that the reference points at the right ones.
# The comment at the top is about the file; @thisfile is an alias of the Doxyfile.
1,/^\#pragma once/s#^// ?#/// #
1s#^/// #/// @thisfile #
1s#^/\* #/** @thisfile #
# The C header: comments before declarations and members, and behind enumerators and members.
s#^( *)/\* ([^-])#\1/** \2#
s#^(  TW_[A-Z0-9_]+ = [0-9]+,?) +/\* #\1 /**< #
s#^(  [A-Za-z_][^/]*;) +/\* #\1 /**< #
# Comments behind enumerators and members.
s#^(  [A-Za-z_][^/()]*[,;]) +// #\1 ///< #
# What our comments state.
s#^( *///) (pre|post): *#\1 @\2 #
s#^( *///) (law|error|cost): *#\1 @\2 #
# What is said of std afterwards is none of the reference's business.
/^\}  \/\/ namespace tilewright$/q
# `E<i>` is no HTML.
/^ *\/\/\//{
  /`/!s#([^\\])<#\1\\<#g
}
