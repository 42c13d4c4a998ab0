/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The commands by which a hashed directory that is in use becomes a directory of its owner: Hadoop's own commands copy it while clients
 * continue, and once more when its parts are closed to all but superusers, so that nothing changes after the copy. The parts are put aside,
 * and deleted last, by the operator, who has looked at the copy.
 */
final class HashedCopy {

    private static final String PRESERVED = "-prbugpcaxt";

    /** The options to preserve everything except the type of checksums: HDFS does not report that type for a file that is being written. */
    private static final String PRESERVED_OF_OPEN_FILES = "-prbugpaxt";

    private final SubtreePath path;
    private final List<String> nameservices;
    private final String from;
    private final String to;
    private final String copy;
    private final String unhash;

    /**
     * @param table that has it as a hashed directory
     * @param owner whose directory it becomes
     * @param unhash the command that gives it to its owner when its parts are empty
     */
    HashedCopy(SubtreeTable table, SubtreePath path, String owner, String unhash) {
        this.path = path;
        this.nameservices = table.hashedDirectories().get(path);
        this.from = "hdfs://" + table.name() + path;
        this.to = "hdfs://" + owner + path;
        this.copy = "hdfs://" + owner + copyPath(path);
        this.unhash = unhash;
    }

    /** The path of the copy of a hashed directory, in its owner's nameservice. */
    static SubtreePath copyPath(SubtreePath path) {
        return SubtreePath.parse(path + ".copy");
    }

    /** The steps for the operator, one per line, commands indented. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("Its files can be copied, if there is no " + copy + ". Most of them while clients go on:");
        lines.add("  hadoop distcp -i " + PRESERVED_OF_OPEN_FILES + " " + from + " " + copy);
        lines.add("The rest when only superusers are let in:");
        addForEachNameservice(lines, nameservice -> "hdfs dfs -chmod 000 " + partUri(nameservice));
        lines.add("and no file is being written any more, which is when these list none:");
        addForEachNameservice(
                lines,
                nameservice -> "hdfs dfsadmin -fs hdfs://" + nameservice + " -listOpenFiles -path " + path.partPath());
        lines.add("  hadoop distcp -update -delete " + PRESERVED + " " + from + " " + copy);
        lines.add("Then what was copied is put aside, and the copy takes its place:");
        addForEachNameservice(
                lines, nameservice -> "hdfs dfs -mv " + partUri(nameservice) + " " + partUri(nameservice) + ".old");
        addForEachNameservice(
                lines,
                nameservice -> "hdfs dfs -mv " + renamesUri(nameservice) + " " + renamesUri(nameservice) + ".old");
        lines.add("  hdfs dfs -chmod 000 " + to);
        // No command of Hadoop's replaces a directory: between -rmdir and -mv any client could make another one.
        lines.add("  " + unhash + " --with-copy");
        lines.add("When you have looked at it:");
        addForEachNameservice(
                lines,
                nameservice -> "hdfs dfs -rm -r -skipTrash " + partUri(nameservice) + ".old " + renamesUri(nameservice)
                        + ".old");
        return lines;
    }

    private String partUri(String nameservice) {
        return "hdfs://" + nameservice + path.partPath();
    }

    private String renamesUri(String nameservice) {
        return "hdfs://" + nameservice + path.renamesPath();
    }

    private void addForEachNameservice(List<String> lines, Function<String, String> command) {
        nameservices.forEach(nameservice -> lines.add("  " + command.apply(nameservice)));
    }
}
