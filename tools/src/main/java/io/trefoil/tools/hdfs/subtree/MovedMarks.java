/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs.subtree;

import io.trefoil.foundation.subtrees.MovedMark;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The marks by which NameNodes tell clients with an older table where a subtree is now. The table is the truth: without a mark clients meet
 * a seal.
 */
public final class MovedMarks {

    private static final Path ROOT = new Path("/");

    /** HDFS takes 16 KB as an attribute's value. */
    private static final int LONGEST = 12 << 10;

    private MovedMarks() {}

    /**
     * Marks the folder at the old owner, or replaces its mark; does nothing if there are too many. Needs NameNodes that know of marks, others
     * may have no extended attributes.
     */
    public static void set(DistributedFileSystem fileSystem, String folder, MovedMark mark) throws IOException {
        Set<String> folders = folders(fileSystem);
        if (folders.add(folder)) {
            byte[] value = MovedMark.folders(folders);
            if (value.length > LONGEST) {
                return;
            }
            set(fileSystem, ROOT, MovedMark.FOLDERS, value);
        }
        set(fileSystem, new Path(folder), MovedMark.NAME, mark.value());
    }

    /** Removes the mark of a folder, if it has one. */
    public static void remove(DistributedFileSystem fileSystem, String folder) throws IOException {
        Set<String> folders = folders(fileSystem);
        if (!folders.remove(folder)) {
            return;
        }
        Path marked = new Path(folder);
        if (fileSystem.exists(marked) && fileSystem.getXAttrs(marked).containsKey(MovedMark.NAME)) {
            fileSystem.removeXAttr(marked, MovedMark.NAME);
        }
        set(fileSystem, ROOT, MovedMark.FOLDERS, MovedMark.folders(folders));
    }

    private static Set<String> folders(DistributedFileSystem fileSystem) throws IOException {
        byte[] value = fileSystem.getXAttrs(ROOT).get(MovedMark.FOLDERS);
        return value == null ? new TreeSet<>() : MovedMark.folders(value);
    }

    private static void set(DistributedFileSystem fileSystem, Path folder, String name, byte[] value)
            throws IOException {
        fileSystem.setXAttr(folder, name, value, EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }
}
