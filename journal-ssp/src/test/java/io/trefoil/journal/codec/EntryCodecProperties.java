/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.TxRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class EntryCodecProperties {

    private static final Entry EDITS = Entry.of(
            LogPosition.of(Epoch.of(7), 42), EntryKind.EDITS, TxRange.of(1000, 1003), Bytes.ofUtf8("four edits"));

    /** The bytes of docs/design/storage-format.md; they never change. */
    @Example
    void encodesBytesAsDocumented() {
        String hex = "0000000000000007" + "000000000000002a" + "03" + "00000000000003e8" + "00000000000003eb"
                + "0000000a" + "666f7572206564697473";

        assertThat(HexFormat.of().formatHex(encode(EDITS))).isEqualTo(hex);
        assertThat(EntryCodec.checksum(EDITS)).isEqualTo(0x3D88C6C2);
    }

    @Property
    void decodesEncodedEntry(@ForAll("entries") Entry entry) throws MalformedBytesException {
        ByteBuffer in = ByteBuffer.wrap(encode(entry));

        assertThat(EntryCodec.decode(in, EntryCodec.checksum(entry), ByteBuffer::allocate))
                .isEqualTo(entry);
        assertThat(in.hasRemaining()).isFalse();
    }

    @Property
    void headerEqualsBytesBeforePayload(@ForAll("entries") Entry entry) {
        byte[] header = EntryCodec.header(entry);

        assertThat(encode(entry)).startsWith(header);
        assertThat(EntryCodec.checksum(header, entry.payload()))
                .isEqualTo(Crc32c.of(encode(entry), 0, EntryCodec.size(entry)));
    }

    @Property
    void detectsAnyWrongByte(@ForAll("entries") Entry entry, @ForAll int index, @ForAll byte mask) {
        byte[] bytes = encode(entry);
        bytes[Math.floorMod(index, bytes.length)] ^= mask == 0 ? 1 : mask;

        assertThatThrownBy(() ->
                        EntryCodec.decode(ByteBuffer.wrap(bytes), EntryCodec.checksum(entry), ByteBuffer::allocate))
                .isExactlyInstanceOf(MalformedBytesException.class);
    }

    @Property
    void detectsAnyTruncation(@ForAll("entries") Entry entry, @ForAll int index) {
        ByteBuffer in = ByteBuffer.wrap(encode(entry));
        in.limit(Math.floorMod(index, in.capacity()));

        assertThatThrownBy(() -> EntryCodec.decode(in, EntryCodec.checksum(entry), ByteBuffer::allocate))
                .isExactlyInstanceOf(MalformedBytesException.class);
    }

    @Property
    void rejectsHostileBytesWithClearMessage(@ForAll @Size(max = 120) byte[] bytes, @ForAll int checksum) {
        assertThatThrownBy(() -> EntryCodec.decode(ByteBuffer.wrap(bytes), checksum, ByteBuffer::allocate))
                .isInstanceOf(MalformedBytesException.class);
    }

    /** Hostile bytes with a right checksum: nothing but an exception of ours may come out, or an entry that makes sense. */
    @Property
    void decodesOrRejectsHostileBytesWithValidChecksum(@ForAll @Size(37) byte[] bytes, @ForAll EntryKind kind) {
        ByteBuffer.wrap(bytes).putInt(33, 0).put(16, kind.code());
        try {
            Entry entry =
                    EntryCodec.decode(ByteBuffer.wrap(bytes), Crc32c.of(bytes, 0, bytes.length), ByteBuffer::allocate);
            assertThat(encode(entry)).isEqualTo(bytes);
        } catch (MalformedBytesException e) {
            assertThat(e).isInstanceOf(UnsupportedFormatException.class).hasMessageContaining("does not know");
        }
    }

    @Example
    void giantSizesDoNotAllocateMemory() {
        for (int size : new int[] {EntryCodec.MAX_PAYLOAD_SIZE + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
            byte[] bytes = encode(EDITS);
            ByteBuffer.wrap(bytes).putInt(EntryCodec.HEADER_SIZE - 4, size);

            assertThatThrownBy(() -> EntryCodec.decode(ByteBuffer.wrap(bytes), 0, ByteBuffer::allocate))
                    .isInstanceOf(MalformedBytesException.class)
                    .hasMessageContaining("payload of " + size + " bytes");
        }
    }

    /** Written by a newer version: a reader that takes it for damage would cut good entries away. */
    @Example
    void unknownEntryKindIsNotReportedAsDamage() {
        byte[] bytes = encode(EDITS);
        bytes[16] = 100;

        assertThatThrownBy(() -> EntryCodec.decode(
                        ByteBuffer.wrap(bytes), Crc32c.of(bytes, 0, bytes.length), ByteBuffer::allocate))
                .isInstanceOf(UnsupportedFormatException.class)
                .hasMessageContaining("Unknown entry kind 100");
    }

    @Example
    void rejectsWritingUnreadableEntries() {
        Entry giant = Entry.of(
                EDITS.position(),
                EntryKind.EDITS,
                EDITS.txIds(),
                Bytes.wrap(new byte[EntryCodec.MAX_PAYLOAD_SIZE + 1]));

        assertThatIllegalArgumentException().isThrownBy(() -> EntryCodec.header(giant));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> EntryCodec.encode(EDITS, ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN)));
    }

    @Provide
    Arbitrary<Entry> entries() {
        Arbitrary<Long> numbers = Arbitraries.longs().between(1, Long.MAX_VALUE / 2);
        Arbitrary<byte[]> payloads = Arbitraries.bytes().array(byte[].class).ofMaxSize(100);
        return Combinators.combine(numbers, numbers, Arbitraries.of(EntryKind.class), numbers, numbers, payloads)
                .as((epoch, sn, kind, firstTxId, count, payload) -> Entry.of(
                        LogPosition.of(Epoch.of(epoch), sn),
                        kind,
                        TxRange.of(firstTxId, firstTxId + count - 1),
                        Bytes.wrap(payload)));
    }

    private static byte[] encode(Entry entry) {
        ByteBuffer out = ByteBuffer.allocate(EntryCodec.size(entry));
        EntryCodec.encode(entry, out);
        assertThat(out.hasRemaining()).isFalse();
        return out.array();
    }
}
