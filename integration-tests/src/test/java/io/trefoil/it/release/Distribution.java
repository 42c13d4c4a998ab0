/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import io.trefoil.it.cluster.host.StockHadoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** A Hadoop to install next to: our stand-in for its scripts, with the jars of stock Hadoop. */
final class Distribution {
    private Distribution() {}

    /** Makes one in the directory out of links; or links to the real one that {@code HADOOP_HOME} names. */
    static void linkInto(Path directory) throws IOException {
        Files.createDirectories(directory.getParent());
        if (HadoopScripts.isStandIn()) {
            copyInto(directory);
        } else {
            Files.createSymbolicLink(directory, HadoopScripts.home());
        }
    }

    /** Makes one in the directory that refers to nothing but {@link #jars}; a copy of the real one if {@code HADOOP_HOME} names it. */
    static void copyInto(Path directory) throws IOException {
        copy(HadoopScripts.home(), directory);
        if (!HadoopScripts.isStandIn()) {
            return;
        }
        Path hdfs = directory.resolve("share/hadoop/hdfs");
        Path lib = Files.createDirectories(hdfs.resolve("lib"));
        StockHadoop stock = StockHadoop.fromSystemProperties();
        for (Path jar : stock.classPath()) {
            Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
        }
        copy(stock.webPages().resolve("webapps").toRealPath(), hdfs.resolve("webapps"));
    }

    /** The directory with all jars that the links lead to. */
    static Path jars() {
        List<Path> all = StockHadoop.fromSystemProperties().classPath();
        Path common = all.get(0).getParent();
        for (Path jar : all) {
            while (!jar.startsWith(common)) {
                common = common.getParent();
            }
        }
        return common;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path file : (Iterable<Path>) tree::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}
