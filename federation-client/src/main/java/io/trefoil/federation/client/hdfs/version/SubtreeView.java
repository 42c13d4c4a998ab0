/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import io.trefoil.federation.client.SubtreeOwnerResolver;
import io.trefoil.federation.client.hashed.HashedLayout;
import io.trefoil.federation.client.hdfs.hashed.HashedFileSystem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.viewfs.Constants;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.DelegationTokenIssuer;
import org.apache.hadoop.util.Progressable;

/**
 * Hadoop's own client, routing by one version of the table; without a table, the client of one nameservice. Hadoop's protected methods
 * are public here, for a file system that passes its calls on to the newest version. It and its superclasses correct methods that in
 * Hadoop 3.4 and 3.5 pass wrong arguments on, or go to the owner of the root whatever their path.
 *
 * <p>Thread-safe, like Hadoop's.
 */
public final class SubtreeView extends CacheDirectiveFileSystem {

    /** The key of the name in the table's file, as {@code TableCodec} of the command writes it. */
    private static final String NAME = "io.trefoil.subtrees.name";

    private static final String VERSION = "io.trefoil.subtrees.version";

    /** The property, not in the table's file, for the directory that contains the file. */
    private static final String TABLE_DIRECTORY = "io.trefoil.table.folder";

    /** The prefix of the properties in the table's file that are not Hadoop's, such as the author of the version and its time. */
    private static final String OWN = "io.trefoil.subtrees.";

    /** The capabilities that open files by their ids, which are those of one nameservice. */
    private static final Set<String> HANDLE_CAPABILITIES = Collections.unmodifiableSet(new HashSet<>(
            Arrays.asList(CommonPathCapabilities.FS_PATHHANDLES, CommonPathCapabilities.FS_MULTIPART_UPLOADER)));

    private static final String NOT_OF_SEVERAL =
            "Not possible in a hashed directory, which is in several nameservices: ";

    /** The owners of paths; available when the view is initialized. */
    private SubtreeOwnerResolver owners;

    /**
     * Reads the newest version.
     *
     * @param conf the user's; this method uses a copy, because Hadoop adds the table to it
     * @throws IOException if the table cannot be read
     */
    public static SubtreeView open(URI name, Configuration conf) throws IOException {
        SubtreeView view = new SubtreeView();
        view.initialize(name, withOwners(name, conf));
        if (!view.followsTable(name.getAuthority())
                || hashedDirectories(view.getConf()).isEmpty()) {
            return view;
        }
        Configuration withHashed = withHashed(view.getConf());
        view.close();
        SubtreeView complete = new SubtreeView();
        complete.initialize(name, withHashed);
        return complete;
    }

    /** A copy of the configuration whose nameservices have clients that check their calls, unless the user configures others. */
    private static Configuration withOwners(URI name, Configuration conf) {
        Configuration complete = new Configuration(conf);
        String directory = conf.get(Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH);
        if (directory != null) {
            complete.set(TABLE_DIRECTORY, new Path(directory).toUri().getPath());
        }
        String client = String.format(FsConstants.FS_VIEWFS_OVERLOAD_SCHEME_TARGET_FS_IMPL_PATTERN, name.getScheme());
        if (DistributedFileSystem.class.getName().equals(complete.get(client))) {
            complete.set(client, OwnerFileSystem.class.getName());
        }
        return complete;
    }

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
        super.initialize(uri, conf);
        // Every call asks for them.
        owners = followsTable(uri.getAuthority())
                ? tableOwners(getConf())
                : new SubtreeOwnerResolver(uri.getAuthority(), Collections.emptyMap());
    }

    private static Map<String, String> hashedDirectories(Configuration conf) {
        return conf.getPropsWithPrefix(HashedFileSystem.HASHED);
    }

    /**
     * A copy of the configuration with a mount point for each hashed directory. The table's file has no such mount
     * point: clients that cannot follow it must find the sealed directory there, and no file system that they do not have.
     */
    private static Configuration withHashed(Configuration conf) {
        Configuration complete = new Configuration(conf);
        complete.unset(Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH);
        complete.set("fs." + HashedFileSystem.SCHEME + ".impl", HashedFileSystem.class.getName());
        String table = Constants.CONFIG_VIEWFS_PREFIX + "." + conf.get(NAME) + ".";
        for (String path : hashedDirectories(conf).keySet()) {
            complete.set(
                    table + Constants.CONFIG_VIEWFS_LINK + "." + path,
                    HashedFileSystem.SCHEME + "://" + conf.get(NAME) + path);
        }
        return complete;
    }

    /** Whether this view comes from the named table; false if Hadoop found none and fell back to a nameservice of that name. */
    public boolean followsTable(String name) {
        return getMountPoints() != null
                && name.equals(getConf().get(NAME))
                && getConf().get(VERSION) != null;
    }

    @Override
    boolean followsTable() {
        return followsTable(getUri().getAuthority());
    }

    /** The version of the table; call this only if the view follows one. */
    public int version() {
        return Integer.parseInt(getConf().get(VERSION));
    }

    /**
     * The content of the table's file, in which versions of the same number differ. Must be called only if the view
     * follows a table. Call it only if it follows a table.
     */
    public Map<String, String> content() {
        return tableContent(getConf());
    }

    /**
     * The content of the table's file of another version.
     *
     * @param file a configuration that has read that and nothing else
     */
    public static Map<String, String> parseContent(Configuration file) {
        return tableContent(hashedDirectories(file).isEmpty() ? file : withHashed(file));
    }

    private static Map<String, String> tableContent(Configuration conf) {
        Map<String, String> content = new HashMap<>(conf.getPropsWithPrefix(OWN));
        content.putAll(conf.getPropsWithPrefix(Constants.CONFIG_VIEWFS_PREFIX + "." + conf.get(NAME) + "."));
        return content;
    }

    /** The owners according to the table; without a table, the single nameservice owns everything. */
    public SubtreeOwnerResolver owners() {
        return owners;
    }

    /** Whether Hadoop has added one of our tables to a configuration. */
    static boolean hasTable(Configuration conf) {
        return conf.get(NAME) != null && conf.get(VERSION) != null;
    }

    /** The owners according to the table that Hadoop has added to a configuration. */
    static SubtreeOwnerResolver tableOwners(Configuration conf) {
        String table = Constants.CONFIG_VIEWFS_PREFIX + "." + conf.get(NAME) + ".";
        Map<String, String> byPath = new HashMap<>();
        conf.getPropsWithPrefix(table + Constants.CONFIG_VIEWFS_LINK + ".")
                .forEach((path, target) -> byPath.put(path, ownerForRename(target)));
        String root = conf.get(table + Constants.CONFIG_VIEWFS_LINK_FALLBACK);
        return new SubtreeOwnerResolver(URI.create(root).getAuthority(), byPath);
    }

    /** A hashed directory is its own owner: nothing is renamed into it or out of it. */
    private static String ownerForRename(String target) {
        URI uri = URI.create(target);
        return uri.getScheme().equals(HashedFileSystem.SCHEME) ? target : uri.getAuthority();
    }

    /** The hashed directories' file system if the path is in one of them. */
    private Optional<HashedFileSystem> findHashedFileSystem(Path path) {
        if (!isHashed(path)) {
            return Optional.empty();
        }
        for (FileSystem child : getChildFileSystems()) {
            if (child instanceof HashedFileSystem) {
                return Optional.of((HashedFileSystem) child);
            }
        }
        return Optional.empty();
    }

    @Override
    Path trashOfHashed(Path path) {
        return findHashedFileSystem(path)
                .map(fileSystem -> tablePath(fileSystem.getTrashRoot(withoutAuthority(path))))
                .orElseThrow(() -> new IllegalStateException(path + " is in no hashed directory of this version"));
    }

    private Path tablePath(Path ofHashed) {
        return makeQualified(Path.getPathWithoutSchemeAndAuthority(ofHashed));
    }

    /** The clients of all nameservices of the table, or of the single one. */
    @Override
    public List<DistributedFileSystem> nameservices() {
        List<DistributedFileSystem> all = new ArrayList<>();
        if (getMountPoints() == null) {
            all.add(this);
            return all;
        }
        for (FileSystem child : getChildFileSystems()) {
            if (child instanceof HashedFileSystem) {
                for (FileSystem fileSystem : child.getChildFileSystems()) {
                    all.add((DistributedFileSystem) fileSystem);
                }
            } else {
                all.add((DistributedFileSystem) child);
            }
        }
        return all;
    }

    /**
     * The client of the nameservice that owns a path: for calls that Hadoop always sends to the owner of the root.
     *
     * @throws IOException if a hashed directory has it, which is spread over several
     */
    @Override
    public DistributedFileSystem ownerClient(Path path) throws IOException {
        if (getMountPoints() == null) {
            return this;
        }
        return tableOwner(path).orElseThrow(() -> new IOException("There is not one nameservice for " + path));
    }

    /**
     * Like {@link #ownerClient}, for calls that only a single nameservice can execute.
     *
     * @throws UnsupportedOperationException if a hashed directory has it
     */
    public DistributedFileSystem onlyOwner(Path path) throws IOException {
        if (isHashed(path)) {
            throw new UnsupportedOperationException(NOT_OF_SEVERAL + path);
        }
        return ownerClient(path);
    }

    @Override
    Set<String> tableNamesIn(Path directory) {
        return owners.tableNamesIn(pathText(directory));
    }

    @Override
    String ownerName(Path path) {
        return owners.ownerOf(pathText(path));
    }

    @Override
    boolean isHashed(Path path) {
        return owners.ownerOf(pathText(path)).startsWith(HashedFileSystem.SCHEME);
    }

    /** The client of the nameservice that owns paths in no entry. */
    DistributedFileSystem rootOwner() throws IOException {
        return ownerClient(new Path("/"));
    }

    /**
     * The client of a nameservice.
     *
     * @throws IOException if nothing in the table is this one's any longer
     */
    DistributedFileSystem nameservice(String name) throws IOException {
        for (DistributedFileSystem fileSystem : nameservices()) {
            if (name.equals(fileSystem.getUri().getAuthority())) {
                return fileSystem;
            }
        }
        throw new IOException("Nothing of " + getUri() + " is in nameservice " + name + " any more");
    }

    @Override
    DistributedFileSystem ownerOfParent(Path path) {
        return tableOwner(path).orElseThrow(() -> new IllegalStateException("The owner of the root is none: " + path));
    }

    private Optional<DistributedFileSystem> tableOwner(Path path) {
        String owner = owners.ownerOf(pathText(path));
        return nameservices().stream()
                .filter(nameservice -> owner.equals(nameservice.getUri().getAuthority()))
                .findFirst();
    }

    @Override
    boolean isAboveEntry(Path path) {
        return owners.isAboveEntry(pathText(path));
    }

    @Override
    public boolean isEntry(Path path) {
        return owners.isEntry(pathText(path));
    }

    @Override
    List<Path> nestedBelow(Path path) {
        return owners.nestedBelow(pathText(path)).stream().map(Path::new).collect(Collectors.toList());
    }

    /** Whether both paths have the same owner: a nameservice, or a hashed directory. */
    @Override
    public boolean haveSameOwner(Path one, Path otherPath) {
        return owners.ownerOf(pathText(one)).equals(owners.ownerOf(pathText(otherPath)));
    }

    /** The path without the name of the federation, which nameservices do not accept. */
    @Override
    public Path withoutAuthority(Path path) {
        return Path.getPathWithoutSchemeAndAuthority(makeQualified(path));
    }

    private String pathText(Path path) {
        return withoutAuthority(path).toUri().getPath();
    }

    /**
     * Concatenates files of one owner: Hadoop passes the names of the sources on unchanged, and looks them up on the owner of the target.
     */
    @Override
    public void concat(Path trg, Path[] psrcs) throws IOException {
        if (!followsTable()) {
            super.concat(trg, psrcs);
            return;
        }
        Optional<HashedFileSystem> hashed = findHashedFileSystem(trg);
        if (hashed.isPresent()) {
            hashed.get().concat(trg, psrcs);
            return;
        }
        DistributedFileSystem owner = ownerClient(trg);
        Path[] sources = new Path[psrcs.length];
        for (int i = 0; i < psrcs.length; i++) {
            if (!ownerClient(psrcs[i]).getUri().equals(owner.getUri())) {
                throw new IOException("Concat across Mount points not supported: " + psrcs[i] + ", " + trg);
            }
            sources[i] = withoutAuthority(psrcs[i]);
        }
        owner.concat(withoutAuthority(trg), sources);
    }

    /** The token issuers of the nameservices; for a single nameservice, its key provider, which Hadoop omits. */
    @Override
    public DelegationTokenIssuer[] getAdditionalTokenIssuers() throws IOException {
        if (getMountPoints() != null) {
            return super.getAdditionalTokenIssuers();
        }
        KeyProvider keys = getKeyProvider();
        return keys instanceof DelegationTokenIssuer
                ? new DelegationTokenIssuer[] {(DelegationTokenIssuer) keys}
                : new DelegationTokenIssuer[0];
    }

    /** Synchronizes with all nameservices, not just with the owner of the root. */
    @Override
    public void msync() throws IOException {
        if (getMountPoints() == null) {
            super.msync();
            return;
        }
        for (DistributedFileSystem nameservice : nameservices()) {
            nameservice.msync();
        }
    }

    /** The client that creates files at a path, by paths without a scheme and authority. */
    private DistributedFileSystem fileCreator(Path path) throws IOException {
        if (isAboveEntry(path)) {
            throw new FileAlreadyExistsException(path + " is a directory");
        }
        Optional<HashedFileSystem> hashed = findHashedFileSystem(path);
        return hashed.isPresent() ? hashed.get().fileCreator() : ownerClient(path);
    }

    /**
     * Creates a file like {@code DistributedFileSystem}'s method, which is atomic: Hadoop's passes the buffer size on
     * as the block size.
     */
    @Override
    public FSDataOutputStream createNonRecursive(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return followsTable()
                ? fileCreator(f)
                        .createNonRecursive(
                                withoutAuthority(f), permission, flags, bufferSize, replication, blockSize, progress)
                : super.createNonRecursive(f, permission, flags, bufferSize, replication, blockSize, progress);
    }

    /** Creates a file with all flags, and checksums: Hadoop's method passes on only whether it overwrites. */
    @Override
    public FSDataOutputStream create(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        return followsTable()
                ? fileCreator(f)
                        .create(
                                withoutAuthority(f),
                                permission,
                                flags,
                                bufferSize,
                                replication,
                                blockSize,
                                progress,
                                checksum)
                : super.create(f, permission, flags, bufferSize, replication, blockSize, progress, checksum);
    }

    @Override
    public HdfsDataOutputStream create(
            Path f,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            InetSocketAddress[] favoredNodes)
            throws IOException {
        return followsTable()
                ? fileCreator(f)
                        .create(
                                withoutAuthority(f),
                                permission,
                                overwrite,
                                bufferSize,
                                replication,
                                blockSize,
                                progress,
                                favoredNodes)
                : super.create(f, permission, overwrite, bufferSize, replication, blockSize, progress, favoredNodes);
    }

    /**
     * Creates a file with exactly this permission in a directory that must exist, as HDFS does for {@code FileContext}.
     *
     * @throws IOException if there is no such directory, or HDFS refuses
     */
    public HdfsDataOutputStream createInDirectory(
            Path f,
            FsPermission absolutePermission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        DFSClient client = fileCreator(f).getClient();
        DFSOutputStream out = client.primitiveCreate(
                pathText(f), absolutePermission, flags, false, replication, blockSize, progress, bufferSize, checksum);
        return client.createWrappedOutputStream(out, statistics, out.getInitialLen());
    }

    /** Creates a file by a path without the name of the federation, which Hadoop passes on, but nameservices do not accept. */
    @Override
    public HdfsDataOutputStream primitiveCreate(
            Path f,
            FsPermission absolutePermission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        DFSClient client = fileCreator(f).getClient();
        DFSOutputStream out = client.primitiveCreate(
                pathText(f), absolutePermission, flags, true, replication, blockSize, progress, bufferSize, checksum);
        return client.createWrappedOutputStream(out, statistics, out.getInitialLen());
    }

    /** Accepts HDFS's own port: {@code FileContext} names a nameservice with it, as it does with HDFS's own client. */
    @Override
    protected void checkPath(Path path) {
        URI uri = path.toUri();
        boolean hasOwnPort = uri.getPort() == HdfsClientConfigKeys.DFS_NAMENODE_RPC_PORT_DEFAULT
                && getUri().getPort() < 0
                && getUri().getScheme().equals(uri.getScheme())
                && getUri().getAuthority().equals(uri.getHost());
        if (!hasOwnPort) {
            super.checkPath(path);
        }
    }

    @Override
    public HdfsPathHandle createPathHandle(FileStatus status, Options.HandleOpt... options) {
        return super.createPathHandle(status, options);
    }

    @Override
    public boolean recoverLease(Path f) throws IOException {
        Optional<HashedFileSystem> hashed = findHashedFileSystem(f);
        return hashed.isPresent() ? hashed.get().recoverLease(withoutAuthority(f)) : super.recoverLease(f);
    }

    @Override
    public FSDataOutputStream append(
            Path f, EnumSet<CreateFlag> flags, int bufferSize, Progressable progress, InetSocketAddress[] favoredNodes)
            throws IOException {
        Optional<HashedFileSystem> hashed = findHashedFileSystem(f);
        return hashed.isPresent()
                ? hashed.get().fileCreator().append(withoutAuthority(f), flags, bufferSize, progress, favoredNodes)
                : super.append(f, flags, bufferSize, progress, favoredNodes);
    }

    /** Appends with the flags, which Hadoop's method omits. */
    @Override
    public FSDataOutputStream append(Path f, EnumSet<CreateFlag> flags, int bufferSize, Progressable progress)
            throws IOException {
        return append(f, flags, bufferSize, progress, null);
    }

    @Override
    public ErasureCodingPolicy getErasureCodingPolicy(Path path) throws IOException {
        Optional<HashedFileSystem> hashed = findHashedFileSystem(path);
        return hashed.isPresent()
                ? hashed.get().getErasureCodingPolicy(withoutAuthority(path))
                : super.getErasureCodingPolicy(path);
    }

    @Override
    public EncryptionZone getEZForPath(Path path) throws IOException {
        Optional<HashedFileSystem> hashed = findHashedFileSystem(path);
        return hashed.isPresent() ? hashed.get().getEZForPath(withoutAuthority(path)) : super.getEZForPath(path);
    }

    @Override
    public FileEncryptionInfo getFileEncryptionInfo(Path path) throws IOException {
        Optional<HashedFileSystem> hashed = findHashedFileSystem(path);
        return hashed.isPresent()
                ? hashed.get().getFileEncryptionInfo(withoutAuthority(path))
                : super.getFileEncryptionInfo(path);
    }

    @Override
    public boolean isFileClosed(Path src) throws IOException {
        Optional<HashedFileSystem> hashed = findHashedFileSystem(src);
        return hashed.isPresent() ? hashed.get().isFileClosed(withoutAuthority(src)) : super.isFileClosed(src);
    }

    /** The status of a path itself, for which Hadoop asks only HDFS's clients. */
    @Override
    public FileStatus getFileLinkStatus(Path f) throws IOException {
        FileStatus status = isHashed(f) ? getFileStatus(f) : super.getFileLinkStatus(f);
        status.setPath(makeQualified(f));
        return status;
    }

    /** The checksum of the first bytes only, which Hadoop's tree of mounts does not pass on. */
    @Override
    public FileChecksum getFileChecksum(Path f, long length) throws IOException {
        Optional<HashedFileSystem> hashed = findHashedFileSystem(f);
        if (hashed.isPresent()) {
            return hashed.get().getFileChecksum(withoutAuthority(f), length);
        }
        return followsTable()
                ? ownerClient(f).getFileChecksum(withoutAuthority(f), length)
                : super.getFileChecksum(f, length);
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        Optional<HashedFileSystem> hashed = findHashedFileSystem(path);
        return hashed.isPresent()
                ? hashed.get().hasPathCapability(withoutAuthority(path), capability)
                // That of Hadoop's tree of mounts has no concat, which files of one owner have.
                : followsTable()
                        ? !HANDLE_CAPABILITIES.contains(capability.toLowerCase(Locale.ROOT))
                                && ownerClient(path).hasPathCapability(withoutAuthority(path), capability)
                        : super.hasPathCapability(path, capability);
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress, boolean appendToNewBlock)
            throws IOException {
        if (!followsTable()) {
            return super.append(f, bufferSize, progress, appendToNewBlock);
        }
        Optional<HashedFileSystem> hashed = findHashedFileSystem(f);
        return hashed.isPresent()
                ? hashed.get().append(withoutAuthority(f), bufferSize, progress, appendToNewBlock)
                : ownerClient(f).append(withoutAuthority(f), bufferSize, progress, appendToNewBlock);
    }

    @Override
    public void createSymlink(Path target, Path link, boolean createParent) throws IOException {
        if (isHashed(link)) {
            throw new UnsupportedOperationException(NOT_OF_SEVERAL + link);
        }
        super.createSymlink(target, link, createParent);
    }

    /** Refuses multipart uploads if there is a table: the handles of parts contain inode ids of one nameservice. */
    @Override
    @SuppressWarnings("rawtypes") // as Hadoop declares it
    public MultipartUploaderBuilder createMultipartUploader(Path basePath) throws IOException {
        if (followsTable()) {
            throw new UnsupportedOperationException(
                    isHashed(basePath)
                            ? NOT_OF_SEVERAL + basePath
                            : "Uploads of parts need handles of files, which are of one nameservice: name that, as "
                                    + ownerClient(basePath).getUri() + withoutAuthority(basePath));
        }
        return super.createMultipartUploader(basePath);
    }

    @Override
    public LocatedBlocks getLocatedBlocks(Path p, long start, long length) throws IOException {
        Optional<HashedFileSystem> hashed = findHashedFileSystem(p);
        if (hashed.isPresent()) {
            return hashed.get().getLocatedBlocks(withoutAuthority(p), start, length);
        }
        return followsTable()
                ? ownerClient(p).getLocatedBlocks(withoutAuthority(p), start, length)
                : super.getLocatedBlocks(p, start, length);
    }

    /** Checks that a call by the name of the federation removes neither the table's directory nor parts of hashed directories. */
    private void requireOutsideTable(Path path) throws AccessControlException {
        if (!followsTable() || withoutAuthority(path).isRoot()) {
            return;
        }
        for (String kept : new String[] {HashedLayout.OURS, getConf().get(TABLE_DIRECTORY, HashedLayout.OURS)}) {
            if (isIn(kept, pathText(path)) || isIn(pathText(path), kept)) {
                throw new AccessControlException(path + " is not removed by the name of the federation, which keeps its"
                        + " table and hashed directories in " + kept + ": name the nameservice, as hdfs://NAMESERVICE");
            }
        }
    }

    private static boolean isIn(String directory, String path) {
        return path.equals(directory) || path.startsWith(directory + "/");
    }

    @Override
    public boolean delete(Path f) throws IOException {
        requireOutsideTable(f);
        return super.delete(f);
    }

    @Override
    public boolean delete(Path f, boolean recursive) throws IOException {
        requireOutsideTable(f);
        return super.delete(f, recursive);
    }

    @Override
    public boolean rename(Path src, Path dst) throws IOException {
        requireOutsideTable(src);
        return super.rename(src, dst);
    }

    @Override
    public void rename(Path src, Path dst, Options.Rename... options) throws IOException {
        requireOutsideTable(src);
        super.rename(src, dst, options);
    }

    /**
     * The directory within which everything can be renamed: the entry, unless its owner knows a smaller one in it, such
     * as an encryption zone.
     */
    @Override
    public Path getEnclosingRoot(Path path) throws IOException {
        Path entry = new Path(owners.entryOf(pathText(path)).orElse("/"));
        if (isHashed(path)) {
            return makeQualified(entry);
        }
        Path known = withoutAuthority(
                followsTable()
                        ? ownerClient(path).getEnclosingRoot(withoutAuthority(path))
                        : super.getEnclosingRoot(path));
        return makeQualified(known.depth() > entry.depth() ? known : entry);
    }

    /** The status for a path in the form that the owner accepts: Hadoop passes on the name of the federation. */
    @Override
    public FsStatus getStatus(Path p) throws IOException {
        if (p == null || !followsTable()) {
            return super.getStatus(p);
        }
        Optional<HashedFileSystem> hashed = findHashedFileSystem(p);
        return hashed.isPresent()
                ? hashed.get().getStatus(withoutAuthority(p))
                : ownerClient(p).getStatus(withoutAuthority(p));
    }

    /** Explains refusals of calls that only HDFS's own clients support. */
    @Override
    public <T> T call(Path path, PathCall<T> call) throws IOException {
        try {
            return super.call(path, call);
        } catch (UnsupportedOperationException e) {
            if (!isHashed(path) || HashedFileSystem.isRefusal(e)) {
                throw e;
            }
            throw new UnsupportedOperationException(NOT_OF_SEVERAL + path, e);
        }
    }

    @Override
    public HdfsDataOutputStreamBuilder createFile(Path path) {
        Optional<HashedFileSystem> hashed = findHashedFileSystem(path);
        return hashed.isPresent() ? hashed.get().createFile(withoutAuthority(path)) : super.createFile(path);
    }

    @Override
    public HdfsDataOutputStreamBuilder appendFile(Path path) {
        Optional<HashedFileSystem> hashed = findHashedFileSystem(path);
        return hashed.isPresent() ? hashed.get().appendFile(withoutAuthority(path)) : super.appendFile(path);
    }

    @Override
    public boolean mkdir(Path f, FsPermission permission) throws IOException {
        Optional<HashedFileSystem> hashed = findHashedFileSystem(f);
        return hashed.isPresent() ? hashed.get().mkdir(withoutAuthority(f), permission) : super.mkdir(f, permission);
    }

    @Override
    public boolean primitiveMkdir(Path f, FsPermission absolutePermission) throws IOException {
        return super.primitiveMkdir(f, absolutePermission);
    }

    @Override
    public Path resolveLink(Path f) throws IOException {
        return super.resolveLink(f);
    }

    @Override
    public URI canonicalizeUri(URI uri) {
        return super.canonicalizeUri(uri);
    }
}
