/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import static io.trefoil.journal.storage.device.JournalStorageContract.IDENTITY;
import static io.trefoil.journal.storage.device.JournalStorageContract.SMALL;
import static io.trefoil.journal.storage.device.JournalStorageContract.baseAt;
import static io.trefoil.journal.storage.device.JournalStorageContract.entries;
import static io.trefoil.journal.storage.device.JournalStorageContract.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.trefoil.journal.codec.Crc32c;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.file.FailingFiles;
import io.trefoil.journal.storage.file.FileLayer;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.file.SimFiles;
import io.trefoil.journal.storage.log.LogImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Rule R9, byte by byte: torn tails are cut, damage is never taken for one. On a file system in memory. */
class FileStorageDamageTest {

    private static final Path DIRECTORY = Path.of("/pool/journal");
    private static final int ANY_SIZE = Integer.MAX_VALUE;

    private SimFiles files = new SimFiles(new Random(1));

    @Test
    void truncatesTailTornAtAnyByte() throws IOException {
        formatAndWrite(2, 3);
        LogImage.Place first = LogImage.find(files, DIRECTORY, 3);
        LogImage.Place last = LogImage.find(files, DIRECTORY, 5);
        byte[] image = bytes(first.file());
        for (int tornAt = first.offset(); tornAt < last.offset() + last.size() - 1; tornAt++) {
            byte[] torn = image.clone();
            for (int i = tornAt; i < last.offset() + last.size(); i++) {
                torn[i] = 0;
            }
            write(first.file(), torn);
            // A frame ends with four bytes of padding; zeros over zeros tear nothing.
            int whole = (tornAt - first.offset() + 4) / first.size();
            checkCutTo(2, whole);
        }
    }

    /** Nothing was written behind the last group; that it was durable is known by a note, which a batch or a COMMIT later makes. */
    @Test
    void flippedBitInDurableGroupIsDamage() throws IOException {
        formatAndWrite(2, 3);
        LogImage.Place first = LogImage.find(files, DIRECTORY, 3);
        LogImage.Place last = LogImage.find(files, DIRECTORY, 5);
        device().open().close();
        byte[] note = bytes(DIRECTORY.resolve("durable"));
        byte[] promise = bytes(DIRECTORY.resolve("promise"));
        byte[] image = bytes(first.file());
        for (int at = first.offset(); at < last.offset() + last.size() - 4; at++) {
            byte[] rotten = image.clone();
            rotten[at] ^= (byte) (1 << (at % 8));
            write(first.file(), rotten);
            write(DIRECTORY.resolve("promise"), promise);
            write(DIRECTORY.resolve("durable"), note);

            boolean padding = (at - first.offset()) % first.size() >= first.size() - 4;
            for (int round = 0; round < 2; round++) {
                try (JournalStorage storage = device().open()) {
                    assertThat(storage.recoveredJournal().completeness())
                            .isEqualTo(padding ? LogCompleteness.COMPLETE : LogCompleteness.REFETCHING);
                }
            }
        }
    }

    @Test
    void damagedDurableMarkIsIgnored() throws IOException {
        formatAndWrite(2, 3);
        LogImage.Place last = LogImage.find(files, DIRECTORY, 5);
        device().open().close();
        byte[] note = bytes(DIRECTORY.resolve("durable"));
        byte[] torn = bytes(last.file());
        Arrays.fill(torn, last.offset(), last.offset() + last.size(), (byte) 0);
        for (int at = 0; at < note.length; at++) {
            byte[] rotten = note.clone();
            rotten[at] ^= (byte) (1 << (at % 8));
            write(last.file(), torn);
            write(DIRECTORY.resolve("durable"), rotten);

            try (JournalStorage storage = device().open()) {
                assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
                assertThat(storage.lastSn()).isEqualTo(4);
            }
        }
    }

    /** A note of what was cut since must not make what follows look damaged. */
    @Test
    void truncatedOrRebasedEntriesAreNotMissed() throws IOException {
        formatAndWrite(2, 3);
        try (JournalStorage storage = device().open()) {
            storage.markDurable();
            storage.truncate(3);
            files.kill();
        }
        try (JournalStorage storage = device().open()) {
            assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
            storage.write(entries(1, 4, 2), 0);
            storage.sync();
            storage.markDurable();
            storage.rebase(baseAt(1, 4));
            files.kill();
        }
        try (JournalStorage storage = device().open()) {
            assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
            assertThat(storage.lastSn()).isEqualTo(4);
        }
    }

    /** A device that gives something else the second time must not have that written over what is right. */
    @Test
    void rejectsRewriteWhenSecondReadDiffers() throws IOException {
        formatAndWrite(2, 3);
        LogImage.Place place = LogImage.find(files, DIRECTORY, 4);
        byte[] image = bytes(place.file());
        AtomicInteger reads = new AtomicInteger();
        FileLayer lying = new FailingFiles(files) {
            @Override
            public OpenFile open(Path file) throws IOException {
                OpenFile real = super.open(file);
                return file.equals(place.file()) ? new BitFlippingFiles(real, place.payloadOffset(), reads) : real;
            }
        };

        assertThatIOException()
                .isThrownBy(
                        () -> new FileStorageDevice(DIRECTORY, SMALL.withRecentBytes(0), lying, Runnable::run).open())
                .withMessageContaining("reads differently");
        assertThat(bytes(place.file())).isEqualTo(image);
    }

    /** Flips a bit in what it reads at a place, but not the first time. */
    private static final class BitFlippingFiles implements OpenFile {
        private final OpenFile file;
        private final long place;
        private final AtomicInteger reads;

        private BitFlippingFiles(OpenFile file, long place, AtomicInteger reads) {
            this.file = file;
            this.place = place;
            this.reads = reads;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void read(ByteBuffer buffer, long position) throws IOException {
            int start = buffer.position();
            file.read(buffer, position);
            boolean exists = position <= place && place < position + buffer.position() - start;
            if (exists && reads.incrementAndGet() > 1) {
                int at = start + (int) (place - position);
                buffer.put(at, (byte) (buffer.get(at) ^ 1));
            }
        }

        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            file.write(from, position);
        }

        @Override
        public void force() throws IOException {
            file.force();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    @Test
    void truncatesTailWithGarbage() throws IOException {
        formatAndWrite(2, 3);
        Random random = new Random(7);
        LogImage.Place first = LogImage.find(files, DIRECTORY, 3);
        byte[] image = bytes(first.file());
        for (int i = 0; i < 300; i++) {
            byte[] torn = image.clone();
            byte[] garbage = new byte[1 + random.nextInt(3 * first.size())];
            random.nextBytes(garbage);
            int at = first.offset() + random.nextInt(3 * first.size());
            System.arraycopy(garbage, 0, torn, at, garbage.length);
            write(first.file(), torn);
            dropDurableNote();

            try (JournalStorage storage = device().open()) {
                assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
                int count = (int) storage.lastSn();
                assertThat(count).isBetween(2, 5);
                assertThat(storage.read(1, ANY_SIZE)).isEqualTo(entries(1, 1, count));
            }
        }
    }

    @Test
    void flippedBitBeforeTailIsDamageOrHarmless() throws IOException {
        formatAndWrite(2, 3);
        try (JournalStorage storage = device().open()) {
            storage.write(entries(1, 6, 1), 0);
            storage.sync();
        }
        LogImage.Place first = LogImage.find(files, DIRECTORY, 3);
        byte[] promise = bytes(DIRECTORY.resolve("promise"));
        byte[] image = bytes(first.file());
        for (int at = first.offset(); at < first.offset() + 3 * first.size(); at++) {
            byte[] rotten = image.clone();
            rotten[at] ^= (byte) (1 << (at % 8));
            write(first.file(), rotten);
            write(DIRECTORY.resolve("promise"), promise);

            int inFrame = (at - first.offset()) % first.size();
            boolean padding =
                    inFrame >= LogImage.HEAD_SIZE + 37 + entry(1, 3).payload().size();
            try (JournalStorage storage = device().open()) {
                int whole = padding ? 6 : 2 + (at - first.offset()) / first.size();
                assertThat(storage.recoveredJournal().completeness())
                        .isEqualTo(padding ? LogCompleteness.COMPLETE : LogCompleteness.REFETCHING);
                assertThat(storage.read(1, ANY_SIZE)).isEqualTo(entries(1, 1, whole));
            }
        }
    }

    @Test
    void flippedBitInLogFileHeadIsDamageOrHarmless() throws IOException {
        formatAndWrite(20, 3);
        Path second = DIRECTORY.resolve("log-0000000000000000009");
        byte[] promise = bytes(DIRECTORY.resolve("promise"));
        byte[] image = bytes(second);
        Path third = DIRECTORY.resolve("log-0000000000000000017");
        byte[] thirdImage = bytes(third);
        for (int at = 0; at < 120; at++) {
            byte[] rotten = image.clone();
            rotten[at] ^= (byte) (1 << (at % 8));
            write(second, rotten);
            write(third, thirdImage);
            write(DIRECTORY.resolve("promise"), promise);

            try (JournalStorage storage = device().open()) {
                boolean isDamaged = storage.recoveredJournal().completeness() == LogCompleteness.REFETCHING;
                assertThat(isDamaged).isEqualTo(at < 44 + 46);
                assertThat(storage.lastSn()).isEqualTo(isDamaged ? 8 : 23);
            }
        }
    }

    @Test
    void keepsDamagedFilesNextToLog() throws IOException {
        formatAndWrite(20, 3);
        LogImage.Place place = LogImage.find(files, DIRECTORY, 5);
        files.flip(place.file(), place.payloadOffset(), 1);
        byte[] rest = bytes(place.file());
        device().open().close();

        assertThat(files.list(DIRECTORY))
                .contains(
                        "log-0000000000000000005.damaged",
                        "log-0000000000000000009.damaged",
                        "log-0000000000000000017.damaged")
                .doesNotContain("log-0000000000000000009", "log-0000000000000000017");
        byte[] kept = bytes(DIRECTORY.resolve("log-0000000000000000005.damaged"));
        assertThat(rest).contains(kept);
    }

    @Test
    void missingMiddleFileIsDamage() throws IOException {
        formatAndWrite(20, 3);
        files.delete(DIRECTORY.resolve("log-0000000000000000009"));

        try (JournalStorage storage = device().open()) {
            assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.REFETCHING);
            assertThat(storage.lastSn()).isEqualTo(8);
        }
    }

    @Test
    void logWithoutGoodFileRestartsAndRefetches() throws IOException {
        SimFiles fresh = new SimFiles(new Random(1));
        files = fresh;
        device().format(IDENTITY, baseAt(3, 100), entries(3, 101, 3));
        files.flip(DIRECTORY.resolve("log-0000000000000000101"), 20, 1);

        for (int round = 0; round < 2; round++) {
            try (JournalStorage storage = device().open()) {
                assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.REFETCHING);
                assertThat(storage.base()).isEqualTo(LogSummary.ORIGIN);
                assertThat(storage.lastSn()).isZero();
            }
        }
    }

    @Test
    void shortenedLogFileIsDamage() throws IOException {
        formatAndWrite(2, 3);
        Path file = DIRECTORY.resolve("log-0000000000000000001");
        LogImage.Place place = LogImage.find(files, DIRECTORY, 4);
        byte[] image = bytes(file);
        files.delete(file);
        write(file, Arrays.copyOf(image, place.offset()));

        try (JournalStorage storage = device().open()) {
            assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.REFETCHING);
            assertThat(storage.lastSn()).isEqualTo(3);
        }
    }

    @Test
    void neverGuessesPromiseOrIdentity() throws IOException {
        formatAndWrite(2, 3);
        for (String name : List.of("promise", "VERSION")) {
            Path file = DIRECTORY.resolve(name);
            byte[] image = bytes(file);
            for (int at = 0; at < image.length; at++) {
                byte[] rotten = image.clone();
                rotten[at] ^= (byte) (1 << (at % 8));
                write(file, rotten);
                assertThatIOException().isThrownBy(() -> device().open()).withMessageContaining(name);
            }
            write(file, image);
        }
        device().open().close();
        files.delete(DIRECTORY.resolve("promise"));
        assertThatIOException().isThrownBy(() -> device().open()).withMessageContaining("promise is missing");
    }

    /**
     * A file that is written a second time holds what was written into it before, payloads of users among it: none of
     * that is ever an entry again, not even if it looks like just the next one.
     */
    @Test
    void ignoresRemainsOfEarlierFileAfterEnd() throws IOException {
        formatAndWrite(2, 3);
        LogImage.Place last = LogImage.find(files, DIRECTORY, 5);
        byte[] image = bytes(last.file());
        int end = last.offset() + last.size();
        for (int salt : new int[] {LogImage.salt(image), LogImage.salt(image) + 1}) {
            byte[] forged = image.clone();
            LogImage.putFrame(forged, end, entry(1, 6), salt);
            write(last.file(), forged);
            dropDurableNote();

            try (JournalStorage storage = device().open()) {
                boolean own = salt == LogImage.salt(image);
                assertThat(storage.lastSn()).isEqualTo(own ? 6 : 5);
                assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
            }
        }
        try (JournalStorage storage = device().open()) {
            storage.write(entries(1, 6, 2), 5);
            assertThat(storage.read(1, ANY_SIZE)).isEqualTo(entries(1, 1, 7));
        }
    }

    /** After a downgrade: nothing may be cut, nothing be taken for damage. */
    @Test
    void leavesDataOfNewerVersionUntouched() throws IOException {
        formatAndWrite(2, 3);
        LogImage.Place place = LogImage.find(files, DIRECTORY, 4);
        byte[] image = bytes(place.file());
        byte[] newer = image.clone();
        newer[place.offset() + LogImage.HEAD_SIZE + 16] = 100;
        ByteBuffer frame = ByteBuffer.wrap(newer);
        int entrySize = frame.getInt(place.offset() + 4);
        frame.putInt(place.offset() + 24, Crc32c.of(newer, place.offset() + LogImage.HEAD_SIZE, entrySize));
        LogImage.signHead(newer, place.offset());
        write(place.file(), newer);

        assertThatIOException().isThrownBy(() -> device().open()).withMessageContaining("Unknown entry kind 100");
        assertThat(bytes(place.file())).isEqualTo(newer);
        write(place.file(), image);
        try (JournalStorage storage = device().open()) {
            assertThat(storage.lastSn()).isEqualTo(5);
        }
    }

    private void formatAndWrite(int first, int second) throws IOException {
        device().format(IDENTITY, LogSummary.ORIGIN, entries(1, 1, first));
        try (JournalStorage storage = device().open()) {
            storage.write(entries(1, first + 1, second), 0);
            storage.sync();
        }
        dropDurableNote();
    }

    /** A loss of power soon after may have done so: the note is not synced. */
    private void dropDurableNote() throws IOException {
        if (files.exists(DIRECTORY.resolve("durable"))) {
            files.delete(DIRECTORY.resolve("durable"));
        }
    }

    private void checkCutTo(int durable, int count) throws IOException {
        List<Entry> expected = entries(1, 1, durable + count);
        for (int round = 0; round < 2; round++) {
            try (JournalStorage storage = device().open()) {
                assertThat(storage.recoveredJournal().completeness()).isEqualTo(LogCompleteness.COMPLETE);
                assertThat(storage.read(1, ANY_SIZE)).isEqualTo(expected);
            }
        }
    }

    private StorageDevice device() {
        return new FileStorageDevice(DIRECTORY, SMALL.withRecentBytes(0), files, Runnable::run);
    }

    private byte[] bytes(Path path) throws IOException {
        try (OpenFile file = files.open(path)) {
            byte[] bytes = new byte[(int) file.size()];
            file.read(ByteBuffer.wrap(bytes), 0);
            return bytes;
        }
    }

    private void write(Path path, byte[] bytes) throws IOException {
        try (OpenFile file = files.create(path)) {
            file.write(ByteBuffer.wrap(bytes), 0);
            file.force();
        }
    }
}
