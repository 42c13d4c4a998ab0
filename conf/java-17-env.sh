# Copyright The Trefoil Authors
# SPDX-License-Identifier: Apache-2.0
#
# For hadoop-env.sh: the packages of the JDK that Hadoop 3.4 needs on Java 17. Hadoop 3.5 opens them by itself.
for package in lang lang.reflect util util.concurrent net io nio text; do
  HADOOP_OPTS="${HADOOP_OPTS:-} --add-opens=java.base/java.$package=ALL-UNNAMED"
done
export HADOOP_OPTS="$HADOOP_OPTS --add-opens=java.base/sun.nio.ch=ALL-UNNAMED"
