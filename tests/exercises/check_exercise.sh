#!/bin/sh
# Checks one exercise of the learner for ctest. Exit code 5 tells ctest to count it as skipped.
# usage: check_exercise.sh KLAB REPOSITORY FOLDER
klab=$1
repository=$2
folder=$3
skipped=5
not_checkable=4

if [ ! -e "$repository/workbook/$folder.cu" ]; then
  echo "Not started. To begin: ./klab start $folder"
  exit $skipped
fi
"$klab" --root "$repository" check "$folder"
code=$?
if [ $code -eq $not_checkable ]; then
  echo "Not checkable here; the reason stands above."
  exit $skipped
fi
exit $code
