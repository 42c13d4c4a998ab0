/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A client under load: four threads make, rename and delete directories below {@code /load}, and write a file now and then. Says
 * every second what they got done, and for how long nobody got an answer. {@code java Load.java [SECONDS]}; without an end if no
 * number is given. Exits with 1 when a call fails, after all of the client's own attempts.
 */
final class Load {
    private static final int THREADS = 4;
    private static final int OPERATIONS_PER_FILE = 500;

    private static final AtomicLong DONE = new AtomicLong();
    private static final AtomicLong ANSWERED_NANOS = new AtomicLong();
    private static final AtomicLong GAP_NANOS = new AtomicLong();

    public static void main(String[] arguments) throws Exception {
        long seconds = arguments.length == 0 ? Long.MAX_VALUE : Long.parseLong(arguments[0]);
        FileSystem files = FileSystem.get(new Configuration());
        Path root = new Path("/load/" + UUID.randomUUID());
        files.mkdirs(root);
        ANSWERED_NANOS.set(System.nanoTime());
        for (int number = 0; number < THREADS; number++) {
            Path directory = new Path(root, "thread-" + number);
            Thread thread = new Thread(() -> work(files, directory));
            thread.setDaemon(true);
            thread.start();
        }
        long before = 0;
        for (long second = 1; second <= seconds; second++) {
            TimeUnit.SECONDS.sleep(1);
            long done = DONE.get();
            long silent = System.nanoTime() - ANSWERED_NANOS.get();
            long gap = Math.max(GAP_NANOS.getAndSet(0), silent);
            System.out.printf(
                    "%6d s %8d operations/s %8d ms without an answer %10d in all%n",
                    second, done - before, TimeUnit.NANOSECONDS.toMillis(gap), done);
            before = done;
        }
        files.delete(root, true);
        System.exit(0);
    }

    private static void work(FileSystem files, Path directory) {
        try {
            for (long number = 0; ; number++) {
                Path made = new Path(directory, "made-" + number);
                Path renamed = new Path(directory, "renamed-" + number);
                expect(files.mkdirs(made), "mkdirs", made);
                expect(files.rename(made, renamed), "rename", made);
                expect(files.delete(renamed, true), "delete", renamed);
                if (number % OPERATIONS_PER_FILE == 0) {
                    Path file = new Path(directory, "file");
                    files.create(file, true).close();
                    answered();
                }
            }
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void expect(boolean result, String operation, Path path) {
        if (!result) {
            throw new IllegalStateException(operation + " of " + path + " was not done");
        }
        answered();
    }

    private static void answered() {
        long now = System.nanoTime();
        long gap = now - ANSWERED_NANOS.getAndSet(now);
        GAP_NANOS.accumulateAndGet(gap, Math::max);
        DONE.incrementAndGet();
    }
}
