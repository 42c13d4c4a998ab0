/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.undelete;

import io.trefoil.checkpoint.archive.HistoricalFile;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Chooses the action for a path of the past. Stateless. */
public final class UndeletePlanner {

    private UndeletePlanner() {}

    /** Decides about a directory that is not there, or that an earlier attempt has not finished. */
    public static UndeleteStep planCreation(HistoricalFile past, boolean isUnfinished) {
        return step(
                past, UndeleteAction.CREATE, isUnfinished ? "an earlier attempt was interrupted" : "it is not there");
    }

    /** Decides about a directory above the wanted paths, where something is now; its present owner does not matter. */
    public static UndeleteStep planAncestor(HistoricalFile past, HistoricalFile present) {
        return present.kind() == past.kind()
                ? step(past, UndeleteAction.SKIP, "it is there")
                : step(past, UndeleteAction.KEEP, "a file is in the way");
    }

    /**
     * Decides about a path where something is, which is never replaced.
     *
     * @param hasSameAcl whether that has the ACL of then
     */
    public static UndeleteStep planPresent(HistoricalFile past, HistoricalFile present, boolean hasSameAcl) {
        if (present.kind() != past.kind()) {
            boolean isDirectory = present.kind() == HistoricalFile.Kind.DIRECTORY;
            return step(past, UndeleteAction.KEEP, isDirectory ? "a directory is in the way" : "a file is in the way");
        }
        boolean isFile = past.kind() == HistoricalFile.Kind.FILE;
        if (isFile && !isAsItWas(past, present.bytes(), present.modifiedMillis())) {
            return step(
                    past,
                    UndeleteAction.KEEP,
                    "another file is in the way, " + text(present.bytes(), present.modifiedMillis()));
        }
        String then = owners(past);
        String now = owners(present);
        return then.equals(now) && hasSameAcl
                ? step(past, UndeleteAction.SKIP, "it is there")
                : step(
                        past,
                        UndeleteAction.DIFFER,
                        "it was " + then + ", and is " + now + " now" + (hasSameAcl ? "" : ", with another ACL"));
    }

    private static String owners(HistoricalFile file) {
        return file.owner() + ":" + file.group() + " " + file.permission();
    }

    /** Decides about the paths below a directory that is not as it was: nothing is put there. */
    public static UndeleteStep planBelow(HistoricalFile past, UndeleteAction ofDirectory) {
        return ofDirectory == UndeleteAction.DIFFER
                ? step(past, UndeleteAction.DIFFER, "its directory differs, and nothing is put back below that")
                : step(past, UndeleteAction.LOSE, "its directory cannot be had");
    }

    /**
     * Decides about a file that is not there.
     *
     * @param wasEncrypted whether it is in an encryption zone; a copy of it might be in clear, or under another key
     * @param copies where its inode still is, the best first
     */
    public static UndeleteStep planFile(
            HistoricalFile past, boolean wasEncrypted, List<SurvivingCopy> copies, UndeleteOptions options) {
        for (SurvivingCopy copy : copies) {
            boolean isAllowed = copy.keeper() != SurvivingCopy.Keeper.OTHER_PATH || options.copyRenamed();
            if (isAsItWas(past, copy) && isAllowed) {
                boolean isTrash = copy.keeper() == SurvivingCopy.Keeper.TRASH;
                if (wasEncrypted && !isTrash) {
                    return step(
                            past,
                            UndeleteAction.LOSE,
                            reason(copy.keeper())
                                    + ", and was encrypted; when its directory is in the right zone: hdfs dfs -cp -p '"
                                    + copy.path() + "' '" + past.path() + "'");
                }
                return UndeleteStep.of(
                        past,
                        isTrash ? UndeleteAction.RENAME : UndeleteAction.COPY,
                        Optional.of(copy.path()),
                        reason(copy.keeper()));
            }
        }
        return step(past, UndeleteAction.LOSE, lossReason(past, copies));
    }

    private static boolean isAsItWas(HistoricalFile past, SurvivingCopy copy) {
        return isAsItWas(past, copy.bytes(), copy.modifiedMillis());
    }

    private static boolean isAsItWas(HistoricalFile past, long bytes, long modifiedMillis) {
        return bytes == past.bytes() && modifiedMillis == past.modifiedMillis();
    }

    /** Decides about an entry that cannot come back by itself, such as a symbolic link. */
    public static UndeleteStep planLoss(HistoricalFile past, String reason) {
        return step(past, UndeleteAction.LOSE, reason);
    }

    private static String reason(SurvivingCopy.Keeper keeper) {
        switch (keeper) {
            case TRASH:
                return "it is in the trash";
            case SNAPSHOT:
                return "a snapshot has it";
            case OTHER_PATH:
                return "it was renamed";
            default:
                throw new AssertionError(keeper);
        }
    }

    private static String lossReason(HistoricalFile past, List<SurvivingCopy> copies) {
        for (SurvivingCopy copy : copies) {
            if (copy.keeper() == SurvivingCopy.Keeper.OTHER_PATH && isAsItWas(past, copy)) {
                return "it was renamed, and is " + copy.path() + " now";
            }
        }
        return copies.isEmpty()
                ? "it is deleted, and neither the trash nor a snapshot has it at this path"
                : "it was written to since: " + copies.get(0).path() + " has "
                        + text(copies.get(0).bytes(), copies.get(0).modifiedMillis());
    }

    private static String text(long bytes, long modifiedMillis) {
        return bytes + " bytes of " + Instant.ofEpochMilli(modifiedMillis);
    }

    private static UndeleteStep step(HistoricalFile past, UndeleteAction action, String reason) {
        return UndeleteStep.of(past, action, Optional.<String>empty(), reason);
    }
}
