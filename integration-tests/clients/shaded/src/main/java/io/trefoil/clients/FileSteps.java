/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.clients;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Each step writes a file, gives it its name, and deletes what a former step left. Made for the shaded client; any will do. */
public final class FileSteps {
    /** Another one for each of several that work at the same time. */
    private static final Path DIRECTORY = new Path(System.getProperty("folder", "/files"));

    private final FileSystem files;

    public FileSteps() throws IOException {
        files = FileSystem.get(new Configuration());
        files.mkdirs(DIRECTORY);
    }

    public void step(int number) throws IOException {
        Path draft = new Path(DIRECTORY, number + ".draft");
        try (FSDataOutputStream out = files.create(draft, false)) {
            out.write(text(number));
        }
        expect(files.rename(draft, file(number)), "was renamed: " + draft);
        expect(files.createNewFile(new Path(DIRECTORY, number + ".passing")), "is new: " + number);
        if (number > 1) {
            expect(files.delete(new Path(DIRECTORY, (number - 1) + ".passing"), false), "was there: " + (number - 1));
        }
    }

    public void check(int steps) throws IOException {
        int found = files.listStatus(DIRECTORY).length;
        expect(found == steps + 1, "there is one file for each of " + steps + " steps and one more: " + found);
        for (int number = 1; number <= steps; number++) {
            byte[] expected = text(number);
            byte[] bytes = new byte[expected.length];
            try (FSDataInputStream in = files.open(file(number))) {
                in.readFully(bytes);
                expect(in.read() < 0, "ends: " + number);
            }
            expect(Arrays.equals(expected, bytes), "is as it was written: " + number);
        }
    }

    private static Path file(int number) {
        return new Path(DIRECTORY, number + ".txt");
    }

    private static byte[] text(int number) {
        return ("step " + number).getBytes(StandardCharsets.UTF_8);
    }

    private static void expect(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("not true: " + what);
        }
    }
}
