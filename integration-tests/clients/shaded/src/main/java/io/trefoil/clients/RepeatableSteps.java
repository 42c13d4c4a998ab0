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

/** Steps like those of {@link FileSteps}, of calls that may be executed twice: over HTTP a call has no id by which a NameNode knows it again. */
public final class RepeatableSteps {
    private final FileSystem files;
    private final Path directory;

    public RepeatableSteps() throws IOException {
        Configuration configuration = new Configuration();
        files = FileSystem.get(configuration);
        directory = new Path(
                "/repeatable/" + files.getUri().getScheme() + files.getUri().getPort());
    }

    public void step(int number) throws IOException {
        files.mkdirs(of(number).getParent());
        try (FSDataOutputStream out = files.create(of(number), true)) {
            out.write(text(number));
        }
    }

    public void check(int steps) throws IOException {
        if (files.listStatus(directory).length != steps) {
            throw new IllegalStateException(
                    files.listStatus(directory).length + " directories after " + steps + " steps");
        }
        for (int number = 1; number <= steps; number++) {
            byte[] bytes = new byte[text(number).length];
            try (FSDataInputStream in = files.open(of(number))) {
                in.readFully(bytes);
            }
            if (!Arrays.equals(bytes, text(number))) {
                throw new IllegalStateException(of(number) + " holds something else");
            }
        }
    }

    private Path of(int number) {
        return new Path(directory, number + "/file");
    }

    private static byte[] text(int number) {
        return ("step " + number).getBytes(StandardCharsets.UTF_8);
    }
}
