#!/usr/bin/env bash
# The lasso command. Builds itself on first use and after a source changed (LASSO_NO_BUILD=1: never). JVM options: LASSO_JAVA_OPTS.
set -eu
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
jdk=$("$home/bin/find-jdk") || exit 1
lib=$home/launcher/target/lasso/lib
stamp=$home/launcher/target/lasso/built
stale() {
  [ -f "$stamp" ] || return 0
  [ -n "$(find "$home" -newer "$stamp" \( -path '*/src/main/*' -o -name pom.xml \) -type f \
    -not -path '*/target/*' -not -path '*/node_modules/*' -print -quit)" ]
}
if [ "${LASSO_NO_BUILD:-}" != 1 ] && stale; then
  echo "lasso: building, this takes a few minutes the first time" >&2
  log=$(mktemp)
  if ! mvn -q -B -f "$home/pom.xml" -pl launcher -am -DskipTests package > "$log" 2>&1; then
    tail -40 "$log" >&2
    echo "lasso: the build failed, see above; the whole log is $log" >&2
    exit 1
  fi
  rm -f "$log"
fi
if [ ! -f "$stamp" ]; then
  echo "lasso: not built; run mvn package, or unset LASSO_NO_BUILD" >&2
  exit 1
fi
case "${1:-}" in
  gateway) memory="-Xms64m -Xmx160m -XX:MaxDirectMemorySize=96m" ;;
  up | demo) memory="-Xms192m -Xmx512m -XX:MaxDirectMemorySize=160m" ;;
  health | blocksync | benchmark | subscription | simulate) memory="-Xms64m -Xmx256m -XX:MaxDirectMemorySize=128m" ;;
  replay) memory="-Xmx256m" ;;
  *) memory="-Xmx256m -XX:TieredStopAtLevel=1" ;;
esac
archive=()
if [ -s "$home/launcher/target/lasso/lasso.aot" ]; then
  # standard output is the command's: what the JVM warns of goes to standard error, what it thinks of the archive nowhere
  archive=("-XX:AOTCache=$home/launcher/target/lasso/lasso.aot" -Xlog:disable -Xlog:all=warning:stderr '-Xlog:aot*=off:stderr' '-Xlog:cds*=off:stderr')
fi
options=${LASSO_JAVA_OPTS:-}
unset LASSO_NO_BUILD LASSO_JAVA_OPTS LASSO_JVMS # what the process itself reads must be a setting it knows
# shellcheck disable=SC2086 # options are words
exec "$jdk/bin/java" $memory ${archive[@]+"${archive[@]}"} -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError \
  --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  -Dio.netty.tryReflectionSetAccessible=false $options -cp "$lib/*" dev.lasso.launcher.Lasso "$@"
