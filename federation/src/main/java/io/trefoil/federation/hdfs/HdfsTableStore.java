/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import io.trefoil.federation.hdfs.directory.AncestorDirectories;
import io.trefoil.federation.hdfs.directory.EntryMarks;
import io.trefoil.federation.hdfs.directory.HdfsAccess;
import io.trefoil.federation.hdfs.directory.MarkedDirectories;
import io.trefoil.federation.hdfs.directory.MovedMarks;
import io.trefoil.federation.hdfs.directory.SealMarks;
import io.trefoil.federation.hdfs.move.DirectorySeal;
import io.trefoil.federation.hdfs.move.HdfsFreeze;
import io.trefoil.federation.hdfs.move.MoveLock;
import io.trefoil.federation.hdfs.tree.SmallFileSettings;
import io.trefoil.federation.hdfs.tree.SnapshottableDirectories;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.marks.SealMark;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableCodec;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The table as files {@code mount-table.VERSION.xml} in one directory, where Hadoop's own clients look for a mount table. A version is made by
 * a rename that overwrites nothing: that is the compare and set. The version is in the journal when the rename returns.
 *
 * <p>Two things seal a directory, and every NameNode enforces both for every client. A quota of names, which the directory itself uses up, leaves
 * no room for anything in it. A {@link DirectorySeal} keeps the directory, and every directory above it, from being removed or renamed.
 *
 * <p>Uses {@code DFSClient.getNamenode}, and {@code DistributedFileSystem} itself, not what the configuration has for
 * {@code hdfs://}, which may route by this very table.
 */
public final class HdfsTableStore implements TableStore {

    private static final Pattern FILE = Pattern.compile("mount-table\\.([1-9][0-9]{0,8})\\.xml");

    /** The name of the snapshot that seals the directory. */
    public static final String SEAL = "trefoil-sealed";

    /** The quota that the directory itself uses up. */
    private static final long NO_ROOM = 1;

    private static final FsPermission CLIENT_DIRECTORY_PERMISSION = new FsPermission((short) 0755);

    /** The permission with which all users that may enter the directory can make their own directories there, but see none of others. */
    private static final FsPermission RENAME_DIRECTORY_PERMISSION = new FsPermission((short) 01733);

    private final Configuration conf;
    private final URI directory;
    private final Map<String, DistributedFileSystem> fileSystems = new HashMap<>();

    /**
     * @param directory {@code hdfs://nameservice/path}
     * @throws IllegalArgumentException if it is not of this form, or there is no such nameservice
     */
    public HdfsTableStore(Configuration conf, String directory) {
        this.conf = conf;
        this.directory = URI.create(directory);
        if (!"hdfs".equals(this.directory.getScheme()) || this.directory.getAuthority() == null) {
            throw new IllegalArgumentException(
                    "Wanted hdfs://nameservice/directory for the table, found '" + directory + "'");
        }
        SubtreePath.parse(this.directory.getPath());
        if (!nameservices().contains(tableNameservice())) {
            throw new IllegalArgumentException("The table is to be kept in " + directory
                    + ", but the configuration has no nameservice " + tableNameservice() + ", only " + nameservices());
        }
    }

    @Override
    public Set<String> nameservices() {
        return new TreeSet<>(DFSUtilClient.getNameServiceIds(conf));
    }

    @Override
    public String tableNameservice() {
        return directory.getAuthority();
    }

    @Override
    public SubtreePath tableDirectory() {
        return SubtreePath.parse(directory.getPath());
    }

    @Override
    public String user() throws IOException {
        return UserGroupInformation.getCurrentUser().getUserName();
    }

    @Override
    public boolean isSuperuser(String nameservice) throws IOException {
        try {
            // Answers superusers only, and changes nothing.
            fileSystem(nameservice).rollingUpgrade(RollingUpgradeAction.QUERY);
            return true;
        } catch (RemoteException e) {
            if (e.getClassName().equals(AccessControlException.class.getName())) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public boolean isRouterNameservice(String nameservice) throws IOException {
        try {
            // Every NameNode answers every user, whatever its state; no Router does, as the nameservices have no common
            // answer.
            fileSystem(nameservice).upgradeStatus();
            return false;
        } catch (RemoteException e) {
            if (e.getClassName().equals(UnsupportedOperationException.class.getName())) {
                return true;
            }
            throw e;
        }
    }

    @Override
    public Optional<TableRecord> newest() throws IOException {
        SortedMap<Integer, Path> files = files();
        return files.isEmpty() ? Optional.empty() : Optional.of(read(files.get(files.lastKey()), files.lastKey()));
    }

    @Override
    public List<TableRecord> history() throws IOException {
        List<TableRecord> records = new ArrayList<>();
        for (Map.Entry<Integer, Path> file : files().entrySet()) {
            records.add(read(file.getValue(), file.getKey()));
        }
        return records;
    }

    private SortedMap<Integer, Path> files() throws IOException {
        SortedMap<Integer, Path> files = new TreeMap<>();
        // An observer may be behind, and a process that carries on after a crash decides by the newest version.
        fileSystem(tableNameservice()).msync();
        try {
            for (FileStatus status : fileSystem(tableNameservice()).listStatus(new Path(directory))) {
                Matcher name = FILE.matcher(status.getPath().getName());
                if (name.matches()) {
                    files.put(Integer.parseInt(name.group(1)), status.getPath());
                }
            }
        } catch (FileNotFoundException e) {
            return new TreeMap<>();
        }
        return files;
    }

    private TableRecord read(Path file, int version) throws IOException {
        Configuration properties = new Configuration(false);
        try (FSDataInputStream in = fileSystem(tableNameservice()).open(file)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            IOUtils.copyBytes(in, bytes, 4096);
            properties.addResource(new ByteArrayInputStream(bytes.toByteArray()), file.toString());
        }
        Map<String, String> raw = new LinkedHashMap<>();
        TableRecord record;
        try {
            for (Map.Entry<String, String> entry : properties) {
                raw.put(entry.getKey(), properties.getRaw(entry.getKey()));
            }
            record = TableCodec.decode(raw);
        } catch (IOException | RuntimeException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        if (record.table().version() != version) {
            throw new IOException(
                    file + " says that it is version " + record.table().version());
        }
        if (!record.table().rootOwner().equals(tableNameservice())) {
            throw new IOException(file + " gives the root to " + record.table().rootOwner() + ", but is kept by "
                    + tableNameservice());
        }
        return record;
    }

    @Override
    public boolean append(TableRecord record, Permit permit) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(tableNameservice());
        Path parent = new Path(directory);
        mkdirs(fileSystem, parent);
        // Readers ignore a name without a version.
        Path draft = new Path(parent, draftPrefix(record.change()) + UUID.randomUUID());
        Path version = new Path(parent, "mount-table." + record.table().version() + ".xml");
        write(fileSystem, draft, record);
        permit.requirePermitted();
        try {
            fileSystem.rename(draft, version, Options.Rename.NONE);
            return true;
        } catch (FileAlreadyExistsException e) {
            fileSystem.delete(draft, false);
            return false;
        }
    }

    /** The prefix of the names of drafts of a change. */
    private static String draftPrefix(String change) {
        return "draft-" + UUID.nameUUIDFromBytes(change.getBytes(StandardCharsets.UTF_8)) + "-";
    }

    @Override
    public void withdrawDrafts(String change) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(tableNameservice());
        String drafts = draftPrefix(change);
        for (FileStatus status : fileSystem.listStatus(new Path(directory))) {
            if (status.getPath().getName().startsWith(drafts)) {
                // A rename that is on its way finds nothing to rename.
                fileSystem.delete(status.getPath(), false);
            }
        }
    }

    private static void write(DistributedFileSystem fileSystem, Path draft, TableRecord record) throws IOException {
        Configuration properties = new Configuration(false);
        TableCodec.encode(record).forEach(properties::set);
        EnumSet<CreateFlag> durable = EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK);
        try (FSDataOutputStream out = fileSystem.create(
                draft,
                new FsPermission((short) 0644),
                durable,
                4096,
                fileSystem.getDefaultReplication(draft),
                fileSystem.getDefaultBlockSize(draft),
                null)) {
            properties.writeXml(out);
        }
        // The caller's umask must not hide the table from clients.
        fileSystem.setPermission(draft, new FsPermission((short) 0644));
    }

    @Override
    public List<String> partObstacles(String from, SubtreePath path) throws IOException {
        HdfsFileStatus status = status(from, path.text());
        String directory = "hdfs://" + from + path;
        List<String> obstacles = new ArrayList<>();
        if (status.hasAcl()) {
            obstacles.add(directory
                    + " has an ACL, which a hashed directory cannot have yet; remove it first: hdfs dfs -setfacl -b "
                    + directory);
        }
        if (status.isEncrypted()) {
            obstacles.add(
                    directory + " is in an encryption zone, and files of a hashed directory would not be encrypted");
        }
        if (status.isErasureCoded()) {
            obstacles.add(directory
                    + " has an erasure coding policy, or is in a directory that has one, and files of a hashed"
                    + " directory would have none; remove it first: hdfs ec -unsetPolicy -path " + directory);
        }
        // The parts have that of the root.
        if (status.getStoragePolicy() != status(from, "/").getStoragePolicy()) {
            obstacles.add(directory + " has a storage policy, or is in a directory that has one, and files of a hashed"
                    + " directory would have none; remove it first: hdfs storagepolicies -fs hdfs://" + from
                    + " -unsetStoragePolicy -path " + path);
        }
        return obstacles;
    }

    private HdfsFileStatus status(String nameservice, String path) throws IOException {
        HdfsFileStatus status =
                fileSystem(nameservice).getClient().getNamenode().getFileInfo(path);
        if (status == null) {
            throw new FileNotFoundException("File does not exist: hdfs://" + nameservice + path);
        }
        return status;
    }

    @Override
    public void createPart(String nameservice, String from, SubtreePath path) throws IOException {
        TableRefusedException.requireNone(partObstacles(from, path));
        FileStatus wanted = fileSystem(from).getFileStatus(new Path(path.text()));
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        for (SubtreePath root : SubtreePath.hashedRoots()) {
            mkdirs(fileSystem, new Path(root.text()));
        }
        String superuser = UserGroupInformation.getCurrentUser().getShortUserName();
        ClientProtocol nameNode = fileSystem.getClient().getNamenode();
        HdfsAccess access = new HdfsAccess(fileSystem.getUri(), nameNode);
        AncestorDirectories above = AncestorDirectories.readOnly(fileSystem(from), nameNode, access, superuser);
        // A user who cannot come to the directory by its own path must not do so by this one; and a user who may rename
        // or delete the directory must not do so with one part of it.
        above.make(path, SubtreePath::partPath);
        above.make(path, SubtreePath::renamesPath);
        access.mkdirIfMissing(
                path.partPath().text(), HdfsAccess.accessOf(wanted).build());
        access.mkdirIfMissing(
                path.renamesPath().text(),
                HdfsAccess.accessOf(wanted)
                        .permission(RENAME_DIRECTORY_PERMISSION.toShort())
                        .build());
    }

    /**
     * Makes a directory regardless of the caller's umask, which must not keep clients from its content, even if the caller exits after any
     * call.
     */
    private static void mkdirs(DistributedFileSystem fileSystem, Path directory) throws IOException {
        if (!directory.isRoot() && !fileSystem.exists(directory)) {
            mkdirs(fileSystem, directory.getParent());
            ClientProtocol nameNode = fileSystem.getClient().getNamenode();
            nameNode.mkdirs(directory.toUri().getPath(), CLIENT_DIRECTORY_PERMISSION, false);
        }
    }

    @Override
    public DirectoryState inspect(String nameservice, SubtreePath path) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        Path there = new Path(path.text());
        FileStatus status;
        try {
            status = fileSystem.getFileStatus(there);
        } catch (FileNotFoundException e) {
            return DirectoryState.ABSENT;
        }
        boolean isEmpty =
                status.isDirectory() && !fileSystem.listStatusIterator(there).hasNext();
        if (!isEmpty) {
            return DirectoryState.IN_USE;
        }
        return hasSeal(nameservice, path) && nameQuota(fileSystem, there) == NO_ROOM
                ? DirectoryState.SEALED
                : DirectoryState.EMPTY;
    }

    @Override
    public List<String> sealObstacles(String nameservice, SubtreePath path) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        Path there = new Path(path.text());
        List<String> obstacles = new ArrayList<>();
        if (fileSystem.exists(there)) {
            long quota = nameQuota(fileSystem, there);
            if (quota > 0 && quota != NO_ROOM) {
                obstacles.add("hdfs://" + nameservice + path + " has a quota of " + quota
                        + " names, which a seal would replace; remove it first: hdfs dfsadmin -fs hdfs://" + nameservice
                        + " -clrQuota " + path + ", or where Routers set it, hdfs dfsrouteradmin -clrQuota " + path);
            }
            if (hasSeal(nameservice, path)) {
                return obstacles;
            }
        }
        ClientProtocol nameNode = fileSystem.getClient().getNamenode();
        boolean isFull = MarkedDirectories.SEALED
                .fullListReason("/", nameNode, nameNode.getXAttrs("/", null), path.text())
                .isPresent();
        if (!isFull && DirectorySeal.canUseMark(fileSystem, path.text())) {
            return obstacles;
        }
        for (String other : SnapshottableDirectories.overlapping(fileSystem, path.text())) {
            if (!other.equals(path.text())) {
                obstacles.add(
                        "Snapshots are allowed in hdfs://" + nameservice + other + ", so HDFS allows none in " + path
                                + ", which a seal needs; delete them, and disallow them: hdfs dfsadmin -fs hdfs://"
                                + nameservice
                                + " -disallowSnapshot " + other
                                + "; or set trefoil.federation.gate at all NameNodes of " + nameservice
                                + ", whose seals are no snapshots");
            }
        }
        return obstacles;
    }

    @Override
    public void replaceEmpty(String nameservice, SubtreePath empty, SubtreePath replacement) throws IOException {
        fileSystem(nameservice).rename(new Path(replacement.text()), new Path(empty.text()), Options.Rename.OVERWRITE);
    }

    @Override
    public void seal(String nameservice, SubtreePath path, Permit permit) throws IOException {
        TableRefusedException.requireNone(sealObstacles(nameservice, path));
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        ClientProtocol nameNode = MoveLock.guarded(fileSystem.getClient().getNamenode(), permit);
        Path there = new Path(path.text());
        if (!fileSystem.exists(there)) {
            permit.requirePermitted();
            fileSystem.mkdirs(there);
        }
        DirectorySeal seal = new DirectorySeal(fileSystem, path.text(), SEAL, permit);
        seal.set();
        nameNode.setQuota(path.text(), NO_ROOM, HdfsConstants.QUOTA_DONT_SET, null);
        // Another process may have removed it meanwhile. By it the quota is known for that of a seal, and can be
        // removed.
        seal.set();
    }

    @Override
    public void unseal(String nameservice, SubtreePath path, Permit permit) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        ClientProtocol nameNode = MoveLock.guarded(fileSystem.getClient().getNamenode(), permit);
        Path there = new Path(path.text());
        // The mark goes first: as long as it is there, NameNodes refuse every client.
        MovedMarks.remove(nameNode, path.text());
        DirectorySeal seal = new DirectorySeal(fileSystem, path.text(), SEAL, permit);
        if (!seal.exists() && !isPartialSeal(fileSystem, there)) {
            return;
        }
        seal.remove();
        // Another one is not that of the seal.
        if (nameQuota(fileSystem, there) == NO_ROOM) {
            nameNode.setQuota(path.text(), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET, null);
        }
    }

    /**
     * Whether a directory is half a seal: an empty directory with no room for anything has no other use, so the process that removed the
     * seal exited before it removed the quota.
     */
    private static boolean isPartialSeal(DistributedFileSystem fileSystem, Path directory) throws IOException {
        return fileSystem.exists(directory)
                && nameQuota(fileSystem, directory) == NO_ROOM
                && !fileSystem.listStatusIterator(directory).hasNext();
    }

    @Override
    public void protectEntry(String nameservice, SubtreePath path) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        if (HdfsFreeze.supportsMarks(fileSystem, UUID.randomUUID().toString(), path.text())) {
            EntryMarks.setMark(fileSystem.getClient().getNamenode(), path.text());
        }
    }

    @Override
    public void unprotectEntry(String nameservice, SubtreePath path) throws IOException {
        EntryMarks.removeMark(fileSystem(nameservice).getClient().getNamenode(), path.text());
    }

    @Override
    public void setRedirect(String nameservice, SubtreePath path, String owner, int version) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        if (HdfsFreeze.supportsMarks(fileSystem, UUID.randomUUID().toString(), path.text())) {
            MovedMarks.set(fileSystem.getClient().getNamenode(), path.text(), MovedMark.of(owner, version));
        }
    }

    @Override
    public boolean clearRedirect(String nameservice, SubtreePath path) throws IOException {
        boolean wasMarked = hasRedirect(nameservice, path);
        MovedMarks.remove(fileSystem(nameservice).getClient().getNamenode(), path.text());
        return wasMarked;
    }

    @Override
    public boolean hasRedirect(String nameservice, SubtreePath path) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        Path there = new Path(path.text());
        return fileSystem.exists(there) && fileSystem.getXAttrs(there).containsKey(MovedMark.NAME);
    }

    @Override
    public List<String> sealRemovalCommands(String nameservice, SubtreePath path) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        Path there = new Path(path.text());
        List<String> commands = new ArrayList<>();
        if (!fileSystem.exists(there) || !fileSystem.getFileStatus(there).isDirectory()) {
            return commands;
        }
        String directory = "hdfs://" + nameservice + path;
        String administration = "hdfs dfsadmin -fs hdfs://" + nameservice;
        if (hasRedirect(nameservice, path)) {
            commands.add("hdfs dfs -setfattr -x " + MovedMark.NAME + " " + directory);
        }
        if (nameQuota(fileSystem, there) == NO_ROOM) {
            commands.add(administration + " -clrQuota " + path);
        }
        if (SealMarks.hasMark(fileSystem.getClient().getNamenode(), path.text())) {
            commands.add("hdfs dfs -setfattr -x " + SealMark.NAME + " " + directory);
        }
        if (fileSystem.exists(new Path(there, HdfsConstants.DOT_SNAPSHOT_DIR + "/" + SEAL))) {
            commands.add("hdfs dfs -deleteSnapshot " + directory + " " + SEAL);
            commands.add(administration + " -disallowSnapshot " + path);
        }
        return commands;
    }

    @Override
    public boolean hasSeal(String nameservice, SubtreePath path) throws IOException {
        return new DirectorySeal(fileSystem(nameservice), path.text(), SEAL, () -> {}).exists();
    }

    @Override
    public boolean clearOtherQuota(String nameservice, SubtreePath path) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        Path there = new Path(path.text());
        boolean isOther = hasSeal(nameservice, path) && nameQuota(fileSystem, there) != NO_ROOM;
        if (isOther) {
            fileSystem
                    .getClient()
                    .getNamenode()
                    .setQuota(path.text(), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET, null);
        }
        return isOther;
    }

    private static long nameQuota(DistributedFileSystem fileSystem, Path directory) throws IOException {
        QuotaUsage usage = fileSystem.getQuotaUsage(directory);
        return usage.getQuota();
    }

    private DistributedFileSystem fileSystem(String nameservice) throws IOException {
        DistributedFileSystem known = fileSystems.get(nameservice);
        if (known == null) {
            known = new DistributedFileSystem();
            known.initialize(URI.create("hdfs://" + nameservice), SmallFileSettings.withFastClose(conf));
            fileSystems.put(nameservice, known);
        }
        return known;
    }

    @Override
    public void close() throws IOException {
        for (DistributedFileSystem fileSystem : fileSystems.values()) {
            fileSystem.close();
        }
    }
}
