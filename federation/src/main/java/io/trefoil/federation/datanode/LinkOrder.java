/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.datanode;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** An order to a DataNode to link blocks of one pool into another. May be given any number of times. Immutable. */
@AutoValue
public abstract class LinkOrder {

    /** The first word of an order. */
    public static final String LINK = "link";

    /** The maximum number of links in an order, so that the answer arrives before any caller gives up, even from a slow disk. */
    public static final int MAX_LINKS = 1_000;

    private static final int WORDS_BEFORE_LINKS = 4;

    /** The thoroughness with which the DataNode inspects a replica before it vouches for it. */
    public enum Check {
        /** Checks lengths, stamps, the header of the checksums, and their number. Reads the checksums, not the bytes. */
        CHECKSUMS,
        /** Checks each byte against its checksum as well, which costs as much reading as a copy. */
        BYTES
    }

    /**
     * @param source the block pool that has the bytes
     * @param target the block pool that is to get them, too
     * @throws IllegalArgumentException if the two pools are the same, there are no links or too many, or two have
     *     the same target
     */
    public static LinkOrder of(String source, String target, Check check, List<BlockLink> links) {
        if (source.isEmpty() || target.isEmpty() || source.equals(target)) {
            throw new IllegalArgumentException("Wanted two block pools, found '" + source + "' and '" + target + "'");
        }
        if (links.isEmpty() || links.size() > MAX_LINKS) {
            throw new IllegalArgumentException("Wanted 1 to " + MAX_LINKS + " blocks, found " + links.size());
        }
        Set<Long> targets = new HashSet<>();
        for (BlockLink link : links) {
            if (!targets.add(link.to().id())) {
                throw new IllegalArgumentException("Two blocks are to become " + link.to());
            }
        }
        return new AutoValue_LinkOrder(source, target, check, Collections.unmodifiableList(new ArrayList<>(links)));
    }

    /**
     * Parses the result of {@link #tokens}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static LinkOrder parse(List<String> arguments) {
        if (arguments.size() <= WORDS_BEFORE_LINKS || !arguments.get(0).equals(LINK)) {
            throw new IllegalArgumentException("Wanted " + LINK
                    + ", two block pools, checksums or bytes, and blocks; found " + arguments.size() + " words");
        }
        List<BlockLink> links = new ArrayList<>();
        arguments.subList(WORDS_BEFORE_LINKS, arguments.size()).forEach(word -> links.add(BlockLink.parse(word)));
        return of(arguments.get(1), arguments.get(2), parseCheck(arguments.get(3)), links);
    }

    private static Check parseCheck(String word) {
        return Arrays.stream(Check.values())
                .filter(check -> token(check).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Wanted checksums or bytes, found " + word));
    }

    private static String token(Check check) {
        return check.name().toLowerCase(Locale.ROOT);
    }

    public abstract String source();

    public abstract String target();

    public abstract Check check();

    public abstract List<BlockLink> links();

    /** The order as words, for the wire. */
    public final List<String> tokens() {
        List<String> arguments = new ArrayList<>(Arrays.asList(LINK, source(), target(), token(check())));
        links().forEach(link -> arguments.add(link.toString()));
        return arguments;
    }
}
