/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.DelegationTokenIssuer;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

/** Calls of HDFS's client that are about a nameservice more than about a path, by the file system of a table. */
class ClusterWideCallsTest extends SubtreeClientFixture {
    @Test
    void plainNameserviceUriBehavesLikeStockClient() throws IOException {
        URI alone = URI.create("hdfs://ns2");
        try (FileSystem plain = FileSystem.newInstance(alone, conf)) {
            write(plain, pathOf("file"));
            assertThat(plain.getFileStatus(pathOf("file")).getPath()).hasToString("hdfs://ns2" + pathOf("file"));
            assertThat(plain.exists(pathOf("missing"))).isFalse();
        }
        FileContext plain = FileContext.getFileContext(alone, conf);
        plain.rename(pathOf("file"), pathOf("renamed"));
        assertThat(plain.util().exists(new Path("hdfs://ns2:8020" + pathOf("renamed"))))
                .isTrue();
        assertThat(listNames(second)).containsExactly("renamed");
    }

    @Test
    void trashBelongsToOwner() throws IOException {
        conf.set("fs.trash.interval", "60");
        handOverSubtree();
        write(files, pathOf("file"));

        assertThat(Trash.moveToAppropriateTrash(files, pathOf("file"), conf)).isTrue();

        Path trash = new Path(second.getHomeDirectory(), ".Trash/Current");
        assertThat(second.exists(Path.mergePaths(trash, pathOf("file")))).isTrue();
        assertThat(listNames(second)).isEmpty();
    }

    @Test
    void concatWorksWithinOneOwner() throws IOException {
        handOverSubtree();
        Path decoy = new Path(second.getHomeDirectory(), "b" + tables);
        Path mine = new Path("/mine" + tables);
        for (Path one : List.of(pathOf("target"), pathOf("a"), pathOf("b" + tables), decoy, mine)) {
            write(second, one);
        }
        write(first, mine);
        files.setWorkingDirectory(new Path(directory));

        files.concat(pathOf("target"), new Path[] {pathOf("a").makeQualified(CLUSTER, null), new Path("b" + tables)});

        assertThat(listNames(second)).containsExactly("target");
        assertThat(second.exists(decoy)).isTrue();
        try (FSDataInputStream in = second.open(pathOf("target"))) {
            assertThat(List.of(in.readUTF(), in.readUTF(), in.readUTF())).containsExactly("target", "a", "b" + tables);
        }
        assertThatThrownBy(() -> files.concat(pathOf("target"), new Path[] {mine}))
                .hasMessageContaining("Concat across Mount points not supported");
        assertThat(first.exists(mine)).isTrue();
        assertThat(second.exists(mine)).isTrue();
    }

    /** Hadoop's client for mount tables asks the owner of the root for all of it. */
    @Test
    void refusesAmbiguousReservedPaths() throws IOException {
        Path mine = new Path("/mine" + tables);
        write(first, mine);
        write(second, pathOf("file"));
        String raw = "/.reserved/raw";
        Path number = new Path("/.reserved/.inodes/"
                + second.getClient().getFileInfo(pathOf("file").toString()).getFileId());
        try (DistributedFileSystem client = clientAfterHandover();
                FileSystem alone = FileSystem.newInstance(URI.create("hdfs://ns2"), conf)) {
            FileContext newest = FileContext.getFileContext(CLUSTER, conf);
            for (Path path : List.of(
                    number,
                    new Path(raw + pathOf("file")),
                    new Path(raw + directory),
                    new Path(raw + new Path(directory).getParent()),
                    new Path(raw),
                    new Path(raw + pathOf("file")).makeQualified(CLUSTER, null))) {
                List<ClientAction> deeds = List.of(
                        one -> client.getFileStatus(path),
                        one -> client.open(path),
                        one -> client.listStatus(path),
                        one -> client.listStatusIterator(path),
                        one -> client.getContentSummary(path),
                        one -> client.create(path, true),
                        one -> client.createFile(path).overwrite(true).build(),
                        one -> client.mkdirs(path),
                        one -> client.append(path),
                        one -> client.truncate(path, 0),
                        one -> client.delete(path, true),
                        one -> client.rename(path, mine),
                        one -> client.rename(mine, path, Options.Rename.OVERWRITE),
                        one -> client.setPermission(path, FsPermission.getFileDefault()),
                        one -> client.setQuota(path, 1, HdfsConstants.QUOTA_DONT_SET),
                        one -> client.getXAttrs(path),
                        one -> client.concat(mine, new Path[] {path}),
                        one -> newest.getFileStatus(path));
                for (int i = 0; i < deeds.size(); i++) {
                    ClientAction deed = deeds.get(i);
                    assertThatThrownBy(() -> deed.perform(client))
                            .as("%s, deed %s", path, i)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("Wrong FS: /")
                            .hasMessageContaining("name");
                }
            }

            assertThat(client.getFileStatus(new Path(raw + mine)).isFile()).isTrue();
            assertThat(alone.getFileStatus(number).isFile()).isTrue();
            assertThat(alone.getFileStatus(new Path(raw + pathOf("file"))).isFile())
                    .isTrue();
        }
        assertThat(listNames(second)).containsExactly("file");
    }

    private CacheDirectiveInfo.Builder directive(Path path) {
        return new CacheDirectiveInfo.Builder().setPath(path).setPool("pool");
    }

    private static CacheDirectiveInfo directiveWithId(long id) {
        return new CacheDirectiveInfo.Builder().setId(id).build();
    }

    private static List<String> cachedPaths(DistributedFileSystem nameservice) throws IOException {
        return cachedPaths(nameservice.listCacheDirectives(null));
    }

    private static List<String> cachedPaths(RemoteIterator<CacheDirectiveEntry> directives) throws IOException {
        List<String> paths = new ArrayList<>();
        while (directives.hasNext()) {
            CacheDirectiveInfo one = directives.next().getInfo();
            paths.add(one.getPath() + " " + one.getReplication());
        }
        return paths;
    }

    /** Ids begin at 1 in each nameservice. */
    @Test
    void listsCacheDirectivesOfOneNameservice() throws IOException {
        Path above = new Path(directory).getParent();
        first.addCachePool(new CachePoolInfo("pool"));
        second.addCachePool(new CachePoolInfo("pool"));
        handOverSubtree();
        // It knows the old version.
        DistributedFileSystem client = (DistributedFileSystem) files;

        long shared = client.addCacheDirective(directive(pathOf("a")).build());
        assertThat(client.addCacheDirective(directive(above).build())).isEqualTo(shared);
        long alone = client.addCacheDirective(directive(new Path("/alone")).build());

        assertThat(cachedPaths(first)).containsExactly("hdfs://ns1" + above + " 1", "hdfs://ns1/alone 1");
        assertThat(cachedPaths(second)).containsExactly("hdfs://ns2" + pathOf("a") + " 1");
        assertThat(client.listCacheDirectives(directive(above).build())
                        .next()
                        .getInfo()
                        .getId())
                .isEqualTo(shared);
        assertThat(cachedPaths(client.listCacheDirectives(directiveWithId(shared))))
                .containsExactly("hdfs://ns1" + above + " 1", "hdfs://ns2" + pathOf("a") + " 1");
        assertThat(cachedPaths(client.listCacheDirectives(directiveWithId(alone))))
                .containsExactly("hdfs://ns1/alone 1");
        assertThatThrownBy(() -> client.listCacheDirectives(directiveWithId(77)))
                .hasMessageContaining("has a cache directive 77");
        for (ClientAction deed : List.<ClientAction>of(
                any -> client.removeCacheDirective(shared),
                any -> client.modifyCacheDirective(new CacheDirectiveInfo.Builder()
                        .setId(shared)
                        .setReplication((short) 3)
                        .build()))) {
            assertThatThrownBy(() -> deed.perform(client)).hasMessageContaining("as hdfs://ns1/");
        }
        assertThatThrownBy(() -> client.modifyCacheDirective(
                        directive(pathOf("b")).setId(alone).build()))
                .hasMessageContaining("which does not own " + pathOf("b"));
        assertThatThrownBy(() -> client.removeCacheDirective(77)).hasMessageContaining("has a cache directive 77");
        client.modifyCacheDirective(new CacheDirectiveInfo.Builder()
                .setId(alone)
                .setReplication((short) 3)
                .build());
        assertThat(cachedPaths(first)).containsExactly("hdfs://ns1" + above + " 1", "hdfs://ns1/alone 3");
        client.removeCacheDirective(alone);
        assertThat(cachedPaths(first)).containsExactly("hdfs://ns1" + above + " 1");
        assertThat(cachedPaths(second)).containsExactly("hdfs://ns2" + pathOf("a") + " 1");
    }

    /** A stock NameNode answers so for a path that it does not have. */
    @Test
    void trustsEmptyZoneAndCorruptFileLists() throws IOException {
        handOverSubtree();
        long before = repeatedCalls();

        assertThat(((DistributedFileSystem) files).getEZForPath(pathOf("file"))).isNull();
        assertThat(repeatedCalls()).isEqualTo(before + 1);
        assertThat(context.listCorruptFileBlocks(new Path(directory)).hasNext()).isFalse();
        assertThat(repeatedCalls()).isEqualTo(before + 2);
    }

    /** A provider of keys with tokens, as a KMS has them. */
    private static final class TokenKeys extends KeyProvider implements DelegationTokenIssuer {
        TokenKeys(Configuration conf) {
            super(conf);
        }

        @Override
        public String getCanonicalServiceName() {
            return "keys";
        }

        @Override
        public Token<?> getDelegationToken(String renewer) {
            return new Token<>(new byte[0], new byte[0], new Text("kms-dt"), new Text(getCanonicalServiceName()));
        }

        @Override
        public KeyVersion getKeyVersion(String versionName) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> getKeys() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<KeyVersion> getKeyVersions(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Metadata getMetadata(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public KeyVersion createKey(String name, byte[] material, Options options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void deleteKey(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public KeyVersion rollNewVersion(String name, byte[] material) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void flush() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void plainNameserviceGetsKeyProviderTokensLikeStockClient() throws IOException {
        conf.set("hadoop.security.key.provider.path", "keys-of-test://keys");
        URI alone = URI.create("hdfs://ns1");
        try (DistributedFileSystem stock = new DistributedFileSystem();
                FileSystem ours = FileSystem.newInstance(alone, conf)) {
            stock.initialize(alone, conf);
            stock.getClient().setKeyProvider(new TokenKeys(conf));
            Credentials wanted = new Credentials();
            stock.addDelegationTokens("renewer", wanted);
            Credentials found = new Credentials();
            ours.addDelegationTokens("renewer", found);

            assertThat(found.getToken(new Text("keys"))).isNotNull();
            assertThat(found.getAllTokens()).hasSameSizeAs(wanted.getAllTokens());
        }
    }
}
