/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.subtrees.version;

import io.trefoil.client.SubtreeOwners;
import io.trefoil.client.hdfs.hashed.HashedFileSystem;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.viewfs.Constants;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.security.token.DelegationTokenIssuer;
import org.apache.hadoop.util.Progressable;

/**
 * Hadoop's own client, routing by one version of the table; without a table, the client of one nameservice. Hadoop's protected methods
 * are public here, for a file system that passes its calls on to the newest version. It and the classes that it extends correct methods
 * that in Hadoop 3.4 and 3.5 pass wrong arguments on, or go to the owner of the root whatever their path.
 *
 * <p>Thread-safe, like Hadoop's.
 */
public final class SubtreeView extends CacheDirectiveCalls {

    /** The key of the name in the table's file, as {@code TableCodec} of the command writes it. */
    private static final String NAME = "io.trefoil.subtrees.name";

    private static final String VERSION = "io.trefoil.subtrees.version";

    /** What is in the table's file for which Hadoop has no name: who made the version, and when, as well. */
    private static final String OWN = "io.trefoil.subtrees.";

    /** The flags that a builder accepts. */
    private static final Set<CreateFlag> OF_BUILDERS = EnumSet.of(
            CreateFlag.CREATE,
            CreateFlag.OVERWRITE,
            CreateFlag.SYNC_BLOCK,
            CreateFlag.LAZY_PERSIST,
            CreateFlag.NEW_BLOCK,
            CreateFlag.NO_LOCAL_WRITE,
            CreateFlag.SHOULD_REPLICATE,
            CreateFlag.IGNORE_CLIENT_LOCALITY);

    /** Known when it is initialized. */
    private SubtreeOwners owners;

    /**
     * Reads the newest version.
     *
     * @param conf the user's; this method uses a copy, because Hadoop adds the table to it
     * @throws IOException if the table cannot be read
     */
    public static SubtreeView open(URI name, Configuration conf) throws IOException {
        SubtreeView view = new SubtreeView();
        view.initialize(name, withOwners(name, conf));
        if (!view.isOfTable(name.getAuthority()) || hashed(view.getConf()).isEmpty()) {
            return view;
        }
        Configuration withHashed = withHashed(view.getConf());
        view.close();
        SubtreeView complete = new SubtreeView();
        complete.initialize(name, withHashed);
        return complete;
    }

    /** With clients of the nameservices that check what they are asked, unless the user wants others. */
    private static Configuration withOwners(URI name, Configuration conf) {
        Configuration complete = new Configuration(conf);
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
        owners = isOfTable(uri.getAuthority())
                ? ownersBy(getConf())
                : new SubtreeOwners(uri.getAuthority(), Collections.emptyMap());
    }

    private static Map<String, String> hashed(Configuration conf) {
        return conf.getPropsWithPrefix(HashedFileSystem.HASHED);
    }

    /**
     * With a mount point for each hashed directory. It is not one in the table's file: clients that cannot follow it must
     * find the sealed folder there, and no file system that they do not have.
     */
    private static Configuration withHashed(Configuration conf) {
        Configuration complete = new Configuration(conf);
        complete.unset(Constants.CONFIG_VIEWFS_MOUNTTABLE_PATH);
        complete.set("fs." + HashedFileSystem.SCHEME + ".impl", HashedFileSystem.class.getName());
        String table = Constants.CONFIG_VIEWFS_PREFIX + "." + conf.get(NAME) + ".";
        for (String path : hashed(conf).keySet()) {
            complete.set(
                    table + Constants.CONFIG_VIEWFS_LINK + "." + path,
                    HashedFileSystem.SCHEME + "://" + conf.get(NAME) + path);
        }
        return complete;
    }

    /** Whether it follows a table of this name, and not just a nameservice, to which Hadoop falls back if it finds no table. */
    public boolean isOfTable(String name) {
        return getMountPoints() != null
                && name.equals(getConf().get(NAME))
                && getConf().get(VERSION) != null;
    }

    @Override
    boolean followsTable() {
        return isOfTable(getUri().getAuthority());
    }

    /** Call it only if it follows a table. */
    public int version() {
        return Integer.parseInt(getConf().get(VERSION));
    }

    /** What is in the table's file, by which versions of the same number differ. Call it only if it follows a table. */
    public Map<String, String> content() {
        return contentBy(getConf());
    }

    /**
     * What is in the table's file of another version.
     *
     * @param file a configuration that has read that and nothing else
     */
    public static Map<String, String> contentOf(Configuration file) {
        return contentBy(hashed(file).isEmpty() ? file : withHashed(file));
    }

    private static Map<String, String> contentBy(Configuration conf) {
        Map<String, String> content = new HashMap<>(conf.getPropsWithPrefix(OWN));
        content.putAll(conf.getPropsWithPrefix(Constants.CONFIG_VIEWFS_PREFIX + "." + conf.get(NAME) + "."));
        return content;
    }

    /** Those of the table; without one, the single nameservice has everything. */
    public SubtreeOwners owners() {
        return owners;
    }

    /** Whether Hadoop has added a table of ours to a configuration. */
    static boolean hasTable(Configuration conf) {
        return conf.get(NAME) != null && conf.get(VERSION) != null;
    }

    /** Those of the table that Hadoop has added to a configuration. */
    static SubtreeOwners ownersBy(Configuration conf) {
        String table = Constants.CONFIG_VIEWFS_PREFIX + "." + conf.get(NAME) + ".";
        Map<String, String> byPath = new HashMap<>();
        conf.getPropsWithPrefix(table + Constants.CONFIG_VIEWFS_LINK + ".")
                .forEach((path, target) -> byPath.put(path, ownerBy(target)));
        String root = conf.get(table + Constants.CONFIG_VIEWFS_LINK_FALLBACK);
        return new SubtreeOwners(URI.create(root).getAuthority(), byPath);
    }

    /** A hashed directory is its own owner: nothing is renamed into it or out of it. */
    private static String ownerBy(String target) {
        URI uri = URI.create(target);
        return uri.getScheme().equals(HashedFileSystem.SCHEME) ? target : uri.getAuthority();
    }

    /** The hashed directories' file system if the path is in one of them. */
    private Optional<HashedFileSystem> hashed(Path path) {
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
                for (FileSystem one : child.getChildFileSystems()) {
                    all.add((DistributedFileSystem) one);
                }
            } else {
                all.add((DistributedFileSystem) child);
            }
        }
        return all;
    }

    /**
     * The client of the nameservice that owns a path: for calls that Hadoop sends to the owner of the root whatever their path.
     *
     * @throws IOException if a hashed directory has it, which is spread over several
     */
    @Override
    public DistributedFileSystem owner(Path path) throws IOException {
        if (getMountPoints() == null) {
            return this;
        }
        return ownerByTable(path).orElseThrow(() -> new IOException("There is not one nameservice for " + path));
    }

    @Override
    Set<String> namesIn(Path folder) {
        return owners.namesIn(text(folder));
    }

    @Override
    String ownerName(Path path) {
        return owners.ownerOf(text(path));
    }

    @Override
    boolean isHashed(Path path) {
        return owners.ownerOf(text(path)).startsWith(HashedFileSystem.SCHEME);
    }

    /** The client of the nameservice that owns what is in no entry. */
    DistributedFileSystem root() throws IOException {
        return owner(new Path("/"));
    }

    /**
     * The client of a nameservice.
     *
     * @throws IOException if nothing in the table is this one's any more
     */
    DistributedFileSystem nameservice(String name) throws IOException {
        for (DistributedFileSystem one : nameservices()) {
            if (name.equals(one.getUri().getAuthority())) {
                return one;
            }
        }
        throw new IOException("Nothing of " + getUri() + " is in nameservice " + name + " any more");
    }

    @Override
    DistributedFileSystem above(Path path) {
        return ownerByTable(path)
                .orElseThrow(() -> new IllegalStateException("The owner of the root is none: " + path));
    }

    private Optional<DistributedFileSystem> ownerByTable(Path path) {
        String owner = owners.ownerOf(text(path));
        return nameservices().stream()
                .filter(one -> owner.equals(one.getUri().getAuthority()))
                .findFirst();
    }

    @Override
    boolean isAboveEntry(Path path) {
        return owners.isAboveEntry(text(path));
    }

    @Override
    public boolean isEntry(Path path) {
        return owners.isEntry(text(path));
    }

    @Override
    List<Path> nestedBelow(Path path) {
        return owners.nestedBelow(text(path)).stream().map(Path::new).collect(Collectors.toList());
    }

    /** Whether both paths have the same owner: a nameservice, or a hashed directory. */
    @Override
    public boolean isOneOwner(Path one, Path other) {
        return owners.ownerOf(text(one)).equals(owners.ownerOf(text(other)));
    }

    /** The path without the name of the federation, which no nameservice accepts. */
    @Override
    public Path bare(Path path) {
        return Path.getPathWithoutSchemeAndAuthority(makeQualified(path));
    }

    private String text(Path path) {
        return bare(path).toUri().getPath();
    }

    /** Of files of one owner: Hadoop passes on the names of the sources as they are, and asks for them at the owner of the target. */
    @Override
    public void concat(Path trg, Path[] psrcs) throws IOException {
        if (!followsTable()) {
            super.concat(trg, psrcs);
            return;
        }
        Optional<HashedFileSystem> hashed = hashed(trg);
        if (hashed.isPresent()) {
            hashed.get().concat(trg, psrcs);
            return;
        }
        DistributedFileSystem owner = owner(trg);
        Path[] sources = new Path[psrcs.length];
        for (int i = 0; i < psrcs.length; i++) {
            if (!owner(psrcs[i]).getUri().equals(owner.getUri())) {
                throw new IOException("Concat across Mount points not supported: " + psrcs[i] + ", " + trg);
            }
            sources[i] = bare(psrcs[i]);
        }
        owner.concat(bare(trg), sources);
    }

    /** Those of its nameservices; for a single one, its key provider, which Hadoop forgets. */
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

    /** Waits for edits of all nameservices, not just of the owner of the root. */
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

    /** Like {@code DistributedFileSystem}'s own, which is atomic: Hadoop's passes the buffer size on as the block size. */
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
        return createInFolder(f, permission, flags, bufferSize, replication, blockSize, progress, null);
    }

    /**
     * Creates a file in a folder that must exist.
     *
     * @throws IOException if there is no such folder, or HDFS refuses
     */
    public FSDataOutputStream createInFolder(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        Optional<HashedFileSystem> hashed = hashed(f);
        if (hashed.isPresent()) {
            return hashed.get()
                    .createNonRecursive(bare(f), permission, flags, bufferSize, replication, blockSize, progress);
        }
        // A builder creates, whatever its flags are.
        if (flags == null || !flags.contains(CreateFlag.CREATE) || !OF_BUILDERS.containsAll(flags)) {
            getFileStatus(f.getParent());
            return primitiveCreate(f, permission, flags, bufferSize, replication, blockSize, progress, checksum);
        }
        DistributedFileSystem.HdfsDataOutputStreamBuilder builder = createFile(f);
        builder.permission(permission)
                .overwrite(flags.contains(CreateFlag.OVERWRITE))
                .bufferSize(bufferSize)
                .replication(replication)
                .blockSize(blockSize);
        if (progress != null) {
            builder.progress(progress);
        }
        if (checksum != null) {
            builder.checksumOpt(checksum);
        }
        flags.forEach(flag -> tell(builder, flag));
        return builder.build();
    }

    private static void tell(DistributedFileSystem.HdfsDataOutputStreamBuilder builder, CreateFlag flag) {
        switch (flag) {
            case SYNC_BLOCK:
                builder.syncBlock();
                break;
            case LAZY_PERSIST:
                builder.lazyPersist();
                break;
            case NEW_BLOCK:
                builder.newBlock();
                break;
            case NO_LOCAL_WRITE:
                builder.noLocalWrite();
                break;
            case SHOULD_REPLICATE:
                builder.replicate();
                break;
            case IGNORE_CLIENT_LOCALITY:
                builder.ignoreClientLocality();
                break;
            default:
                break;
        }
    }

    /** Removes the name of the federation from the path: Hadoop passes it on, but no nameservice accepts it. */
    @Override
    public HdfsDataOutputStream primitiveCreate(
            Path f,
            FsPermission absolutePermission,
            EnumSet<CreateFlag> flag,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksumOpt)
            throws IOException {
        Optional<HashedFileSystem> hashed = hashed(f);
        if (hashed.isPresent()) {
            hashed.get().mkdirs(bare(f).getParent());
            return (HdfsDataOutputStream) hashed.get()
                    .createNonRecursive(
                            bare(f), absolutePermission, flag, bufferSize, replication, blockSize, progress);
        }
        return super.primitiveCreate(
                bare(f), absolutePermission, flag, bufferSize, replication, blockSize, progress, checksumOpt);
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
        Optional<HashedFileSystem> hashed = hashed(f);
        return hashed.isPresent() ? hashed.get().recoverLease(bare(f)) : super.recoverLease(f);
    }

    @Override
    public boolean isFileClosed(Path src) throws IOException {
        Optional<HashedFileSystem> hashed = hashed(src);
        return hashed.isPresent() ? hashed.get().isFileClosed(bare(src)) : super.isFileClosed(src);
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        Optional<HashedFileSystem> hashed = hashed(path);
        return hashed.isPresent()
                ? hashed.get().hasPathCapability(bare(path), capability)
                : super.hasPathCapability(path, capability);
    }

    @Override
    public HdfsDataOutputStreamBuilder createFile(Path path) {
        requireNotHashed(path, "create(…)");
        return super.createFile(path);
    }

    @Override
    public HdfsDataOutputStreamBuilder appendFile(Path path) {
        requireNotHashed(path, "append(…)");
        return super.appendFile(path);
    }

    /**
     * HDFS's builder is of one nameservice, which nobody can extend, and would make the folders around a file in that one alone if it is told to
     * make them.
     */
    private void requireNotHashed(Path path, String instead) {
        if (isHashed(path)) {
            throw new UnsupportedOperationException("HDFS's builders make files of one nameservice, and " + path
                    + " is in a hashed directory, which has several: use " + instead + " of the FileSystem");
        }
    }

    @Override
    public boolean mkdir(Path f, FsPermission permission) throws IOException {
        Optional<HashedFileSystem> hashed = hashed(f);
        return hashed.isPresent() ? hashed.get().mkdir(bare(f), permission) : super.mkdir(f, permission);
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
