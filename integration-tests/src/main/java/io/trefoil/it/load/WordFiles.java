/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Files of words, as input for the word-count job, and the files that the job writes. */
public final class WordFiles {
    private static final int WORDS = 500;
    private static final int WORDS_IN_LINE = 10;

    private WordFiles() {}

    /**
     * Writes one file for each map that the job should have.
     *
     * @return how often each word occurs
     */
    public static Map<String, Integer> write(FileSystem fileSystem, Path directory, int files, int linesInEach)
            throws IOException {
        Random random = new Random(files);
        Map<String, Integer> counts = new TreeMap<>();
        for (int file = 0; file < files; file++) {
            StringBuilder text = new StringBuilder();
            for (int i = 1; i <= linesInEach * WORDS_IN_LINE; i++) {
                String word = "word" + random.nextInt(WORDS);
                counts.merge(word, 1, Integer::sum);
                text.append(word).append(i % WORDS_IN_LINE == 0 ? '\n' : ' ');
            }
            try (FSDataOutputStream out = fileSystem.create(new Path(directory, "words-" + file))) {
                out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            }
        }
        return counts;
    }

    /** The counts written by the job, by word. */
    public static Map<String, Integer> readCounts(FileSystem fileSystem, Path directory) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        contentOf(fileSystem, directory).values().stream()
                .flatMap(String::lines)
                .map(line -> line.split("\t"))
                .forEach(line -> counts.put(line[0], Integer.valueOf(line[1])));
        return counts;
    }

    /** The contents of all files of a directory, by name. */
    public static Map<String, String> contentOf(FileSystem fileSystem, Path directory) throws IOException {
        Map<String, String> content = new TreeMap<>();
        for (FileStatus file : fileSystem.listStatus(directory)) {
            try (FSDataInputStream in = fileSystem.open(file.getPath())) {
                content.put(file.getPath().getName(), new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
            }
        }
        return content;
    }
}
