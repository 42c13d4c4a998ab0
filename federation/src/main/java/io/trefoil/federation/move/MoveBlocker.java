/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Describes why a subtree cannot be moved, with the data needed to copy its files instead. Immutable. */
@AutoValue
public abstract class MoveBlocker {

    /** The kinds of blockers. */
    enum Kind {
        /** A server, a setting, or a name: once that has been fixed, the subtree can be moved. */
        CIRCUMSTANCE,
        SNAPSHOTS,
        ERASURE_CODING,
        ENCRYPTION,
        /** Replicas that are missing, and would be deleted with the source. */
        REPLICAS,
        /** The blocks cannot be linked for another reason, which keeps no client from reading them. */
        UNLINKABLE
    }

    public static MoveBlocker of(String text) {
        return of(Kind.CIRCUMSTANCE, text, "", Collections.emptyList());
    }

    /** @param names of the snapshots in this directory */
    public static MoveBlocker snapshots(String text, String directory, List<String> names) {
        return of(Kind.SNAPSHOTS, text, directory, names);
    }

    public static MoveBlocker erasureCoding(String text, String policy) {
        return of(Kind.ERASURE_CODING, text, policy, Collections.emptyList());
    }

    /** @param directory the highest one in the subtree that is in the zone */
    public static MoveBlocker encryptionZone(String text, String directory, String key) {
        return of(Kind.ENCRYPTION, text, directory, Collections.singletonList(key));
    }

    /** Creates a blocker for a file or directory in an encryption zone, which is a separate blocker. */
    public static MoveBlocker inEncryptionZone(String text) {
        return of(Kind.ENCRYPTION, text, "", Collections.emptyList());
    }

    public static MoveBlocker unlinkable(String text) {
        return of(Kind.UNLINKABLE, text, "", Collections.emptyList());
    }

    /** Creates a blocker for blocks of which some replicas cannot be linked now; it does not stop a move that keeps the source. */
    public static MoveBlocker unavailableReplicas(String text) {
        return of(Kind.REPLICAS, text, "", Collections.emptyList());
    }

    public final boolean concernsReplicas() {
        return kind() == Kind.REPLICAS;
    }

    /** Whether a move may begin despite this blocker. */
    final boolean permits(SourceCleanup cleanup) {
        return kind() == Kind.REPLICAS && cleanup == SourceCleanup.KEEP_SOURCE;
    }

    private static MoveBlocker of(Kind kind, String text, String subject, List<String> names) {
        return new AutoValue_MoveBlocker(kind, text, subject, Collections.unmodifiableList(new ArrayList<>(names)));
    }

    abstract Kind kind();

    /** The reason, as a sentence. */
    public abstract String text();

    /** A text that is equal for blockers that need the same commands. */
    public final String commandKey() {
        return kind() + " " + subject();
    }

    /** The directory with snapshots, the policy, or the directory that should become a zone. */
    abstract String subject();

    /** The names of the snapshots, or of the zone's key. */
    abstract List<String> names();
}
