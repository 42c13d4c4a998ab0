/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The layout of a hashed directory: the paths of its parts. Paths in it are relative to it: empty for the directory
 * itself, otherwise as {@code /a/b}. Everything called {@code /a/b} has its home in the group that its last name picks;
 * there, HDFS itself sees to it that a name is used once. A directory is two in its home, one for the name and one in
 * it for the contents, so that the name stays taken while the contents are moved out of the way; in the other groups it
 * is one, a copy for the files that belong there. Immutable.
 */
public final class HashedLayout {

    /** The directory in each nameservice whose content belongs to the federation, not to users. */
    public static final String OURS = "/.trefoil";

    /** The parent of the physical roots: the same in each nameservice. */
    public static final String BASE = OURS + "/hashed";

    /** The parent of the directories that renames use, next to the roots, so that no deletion can remove their content. */
    public static final String RENAMES = OURS + "/renames";

    private static final String INODE_ID_PREFIX = "/.reserved/.inodes/";

    /** The prefix of our own names. */
    private static final String RESERVED = ".trefoil-";

    private static final String CONTENTS = "contents";
    private static final String DELETE = RESERVED + "delete-";
    private static final String RENAME = RESERVED + "rename-";
    private static final String UNDONE = RESERVED + "undone-";
    private static final String ARRIVAL = RESERVED + "arrival-";
    private static final String GUEST = RESERVED + "guest-";
    private static final String ROOM = RESERVED + "room-";
    private static final String CHANGE = RESERVED + "change-";

    /**
     * The suffixes that programs add to a name until the file is complete: a suffix must not change the group, or the file's rename would.
     */
    private static final Pattern TEMPORARY = Pattern.compile("(.+?)(\\._COPYING_|\\.COPYING|\\.tmp)");

    private final String root;
    private final String renames;
    private final int groups;

    /**
     * @param path of the hashed directory, absolute and normalized
     * @param groups how many nameservices it is hashed over
     */
    public HashedLayout(String path, int groups) {
        this.root = rootOf(path);
        this.renames = renamesOf(path);
        this.groups = groups;
    }

    /** The directory of each nameservice that holds its part of a hashed directory. */
    public static String rootOf(String path) {
        return BASE + path;
    }

    /** The directory of each nameservice in which renames have their stations; all users may make stations, but not list them. */
    public static String renamesOf(String path) {
        return RENAMES + path;
    }

    /** The path of a group's part while the directory is renamed. */
    String stationPath(String operation) {
        return renames + "/" + operation;
    }

    public int groupCount() {
        return groups;
    }

    /** Whether this name is reserved. */
    public static boolean isReserved(String name) {
        return name.startsWith(RESERVED);
    }

    static boolean isRoot(String path) {
        return path.isEmpty();
    }

    /** The parent of a path that is not the root. */
    public static String parentOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    /** The last component of a path that is not the root. */
    public static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The group of files, and the home of directories, with this path, counted from zero. */
    public int homeOf(String path) {
        return homeOfName(nameOf(path));
    }

    /** The groups that have copies of a directory. */
    List<Integer> othersThanHome(String path) {
        List<Integer> others = new ArrayList<>();
        for (int group = 0; group < groups; group++) {
            if (group != homeOf(path)) {
                others.add(group);
            }
        }
        return others;
    }

    /** The home of a name, by the last name alone, so that files keep their groups when a directory above has another name. */
    int homeOfName(String name) {
        Matcher temporary = TEMPORARY.matcher(name);
        String stable = temporary.matches() ? temporary.group(1) : name;
        CRC32 crc = new CRC32();
        byte[] bytes = stable.getBytes(StandardCharsets.UTF_8);
        crc.update(bytes, 0, bytes.length);
        // A CRC is linear: names that differ in one digit would be spread badly over two groups.
        long mixed = crc.getValue() * 0x9E3779B97F4A7C15L;
        return (int) Long.remainderUnsigned(mixed ^ (mixed >>> 32), groups);
    }

    /** The path of the name in a group: the file itself, a directory in its home, a copy of a directory elsewhere. */
    public String placePath(int group, String path) {
        return isRoot(path) ? root : contentsPath(group, parentOf(path)) + "/" + nameOf(path);
    }

    /** The path of a group's part of a directory's contents. */
    public String contentsPath(int group, String path) {
        String place = placePath(group, path);
        return !isRoot(path) && homeOf(path) == group ? contentsOf(place) : place;
    }

    /** Whether an entry of a group's part is an entry of the directory, rather than a copy of one with another home, or one of ours. */
    boolean isRealEntry(int group, Entry entry) {
        return !isReserved(entry.name()) && (!entry.isDirectory() || homeOfName(entry.name()) == group);
    }

    /** The path of an inode, wherever it is. */
    public static String inodePath(long id) {
        return INODE_ID_PREFIX + id;
    }

    /** Whether a path is that of an inode itself, and not of something in it. */
    public static boolean isInodePath(String path) {
        return path.startsWith(INODE_ID_PREFIX) && path.indexOf('/', INODE_ID_PREFIX.length()) < 0;
    }

    static String inodeEntryPath(long id, String name) {
        return inodePath(id) + "/" + name;
    }

    static String contentsOf(String path) {
        return path + "/" + CONTENTS;
    }

    /** The name of a directory that is being made, in its home. */
    static String stagedName(String operation) {
        return RESERVED + "new-" + operation;
    }

    /** The temporary name of a copy until it has its name: it never gets another one, so this shows where its directory belongs. */
    static String stagedCopyName(long directory, String name) {
        return RESERVED + "copy-" + directory + "-" + digest(name);
    }

    static String deletionName(String operation) {
        return DELETE + operation;
    }

    public static boolean isDeletion(String name) {
        return name.startsWith(DELETE);
    }

    static String renameName(String text) {
        return RENAME + text;
    }

    static boolean isRename(String name) {
        return name.startsWith(RENAME);
    }

    /** The text of the rename of a directory in its recorded name. */
    static String textOfRename(String name) {
        return name.substring(isRename(name) ? RENAME.length() : UNDONE.length());
    }

    static String undoneRenameName(String text) {
        return UNDONE + text;
    }

    static boolean isUndoneRename(String name) {
        return name.startsWith(UNDONE);
    }

    static String arrivalName(String text) {
        return ARRIVAL + text;
    }

    static boolean isArrival(String name) {
        return name.startsWith(ARRIVAL);
    }

    static String textOfArrival(String name) {
        return name.substring(ARRIVAL.length());
    }

    /** The room of a file that was renamed to a name of another group. */
    static String relocationDirectoryName(String operation) {
        return ROOM + operation;
    }

    static boolean isRelocationDirectory(String name) {
        return name.startsWith(ROOM);
    }

    /** The mark in the contents of a directory whose parts are made like its name. */
    static String accessChangeName(String operation) {
        return CHANGE + operation;
    }

    /** Whether a name in the parts of a directory marks them as being made like the directory's name. */
    static boolean isAccessChange(String name) {
        return name.startsWith(CHANGE);
    }

    /** Whether a name in the parts of a directory marks something for clients that list it to complete. */
    public static boolean isMark(String name) {
        return isAccessChange(name) || isDeletion(name);
    }

    static String signpostLabel(String text) {
        return GUEST + text;
    }

    static boolean isSignpostLabel(String name) {
        return name.startsWith(GUEST);
    }

    static String textOfSignpostLabel(String name) {
        return name.substring(GUEST.length());
    }

    /** The temporary name of the directory that will have the new name, until then. */
    static String successorName(String operation) {
        return RESERVED + "moved-" + operation;
    }

    /**
     * The permit of a client that wants a directory at a place: it creates this there first, to show clients that complete the operation
     * that it was allowed.
     */
    static String permitName(String operation) {
        return RESERVED + "permit-" + operation;
    }

    /**
     * The additional entry in a name with a rename, which then has more than one entry even if its contents are elsewhere: see {@link
     * Entry#childCount()}.
     */
    static String placeholderName(String operation) {
        return RESERVED + "held-" + operation;
    }

    /** A digest that distinguishes paths, or names, in one path component. */
    static String digest(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
    }
}
