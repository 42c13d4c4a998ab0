/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import io.trefoil.it.cluster.host.StockHadoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** A Hadoop to install next to: our stand-in for its scripts, with the jars of stock Hadoop. */
final class Distribution {
    private Distribution() {}

    /** Makes one in the folder out of links; or links to the real one that {@code HADOOP_HOME} names. */
    static void at(Path folder) throws IOException {
        Path scripts = HadoopScripts.home();
        Files.createDirectories(folder.getParent());
        if (!HadoopScripts.isStandIn()) {
            Files.createSymbolicLink(folder, scripts);
            return;
        }
        copy(scripts, folder);
        Path hdfs = folder.resolve("share/hadoop/hdfs");
        Path lib = Files.createDirectories(hdfs.resolve("lib"));
        StockHadoop stock = StockHadoop.fromSystemProperties();
        for (Path jar : stock.classPath()) {
            Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
        }
        Files.createSymbolicLink(hdfs.resolve("webapps"), stock.webPages().resolve("webapps"));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path file : (Iterable<Path>) tree::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}
