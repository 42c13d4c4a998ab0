/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * The calls that first check for a newer version of the table: administrators' calls, which the old owner would carry out on the sealed
 * directory itself, and builders, whose results we do not see. Those of a directory are repeated if nothing was done by an old version;
 * directives of caches and builders are not. Thread-safe.
 */
abstract class RefreshedVersionFileSystem extends CurrentVersionFileSystem {

    @Override
    public void setStoragePolicy(Path src, String policyName) throws IOException {
        table().runFresh(src, (client, there) -> client.setStoragePolicy(there, policyName));
    }

    @Override
    public void unsetStoragePolicy(Path src) throws IOException {
        table().runFresh(src, (client, there) -> client.unsetStoragePolicy(there));
    }

    @Override
    public void setQuota(Path src, long namespaceQuota, long storagespaceQuota) throws IOException {
        table().runFresh(src, (client, there) -> client.setQuota(there, namespaceQuota, storagespaceQuota));
    }

    @Override
    public void setQuotaByStorageType(Path src, StorageType type, long quota) throws IOException {
        table().runFresh(src, (client, there) -> client.setQuotaByStorageType(there, type, quota));
    }

    @Override
    public void allowSnapshot(Path path) throws IOException {
        table().runFresh(path, (client, there) -> client.allowSnapshot(there));
    }

    @Override
    public void disallowSnapshot(Path path) throws IOException {
        table().runFresh(path, (client, there) -> client.disallowSnapshot(there));
    }

    @Override
    public Path createSnapshot(Path path, String snapshotName) throws IOException {
        return table().callFresh(path, (client, there) -> client.createSnapshot(there, snapshotName));
    }

    @Override
    public void renameSnapshot(Path path, String snapshotOldName, String snapshotNewName) throws IOException {
        table().runFresh(path, (client, there) -> client.renameSnapshot(there, snapshotOldName, snapshotNewName));
    }

    @Override
    public void deleteSnapshot(Path path, String snapshotName) throws IOException {
        table().runFresh(path, (client, there) -> client.deleteSnapshot(there, snapshotName));
    }

    @Override
    public void createEncryptionZone(Path path, String keyName) throws IOException {
        table().runFresh(path, (client, there) -> client.createEncryptionZone(there, keyName));
    }

    @Override
    public void reencryptEncryptionZone(Path zone, HdfsConstants.ReencryptAction action) throws IOException {
        table().runFresh(zone, (client, there) -> client.reencryptEncryptionZone(there, action));
    }

    @Override
    public void provisionEZTrash(Path path, FsPermission trashPermission) throws IOException {
        table().runFresh(path, (client, there) -> client.provisionEZTrash(there, trashPermission));
    }

    @Override
    public Path provisionSnapshotTrash(Path path, FsPermission trashPermission) throws IOException {
        return table().callFresh(path, (client, there) -> client.provisionSnapshotTrash(there, trashPermission));
    }

    @Override
    public void setErasureCodingPolicy(Path path, String ecPolicyName) throws IOException {
        table().runFresh(path, (client, there) -> client.setErasureCodingPolicy(there, ecPolicyName));
    }

    @Override
    public void satisfyStoragePolicy(Path src) throws IOException {
        table().runFresh(src, (client, there) -> client.satisfyStoragePolicy(there));
    }

    @Override
    public void unsetErasureCodingPolicy(Path path) throws IOException {
        table().runFresh(path, (client, there) -> client.unsetErasureCodingPolicy(there));
    }

    @Override
    public long addCacheDirective(CacheDirectiveInfo info) throws IOException {
        return table().refreshedView().addCacheDirective(info);
    }

    @Override
    public long addCacheDirective(CacheDirectiveInfo info, EnumSet<CacheFlag> flags) throws IOException {
        return table().refreshedView().addCacheDirective(info, flags);
    }

    @Override
    public void modifyCacheDirective(CacheDirectiveInfo info) throws IOException {
        table().refreshedView().modifyCacheDirective(info);
    }

    @Override
    public void modifyCacheDirective(CacheDirectiveInfo info, EnumSet<CacheFlag> flags) throws IOException {
        table().refreshedView().modifyCacheDirective(info, flags);
    }

    @Override
    public void removeCacheDirective(long id) throws IOException {
        table().refreshedView().removeCacheDirective(id);
    }

    @Override
    public RemoteIterator<CacheDirectiveEntry> listCacheDirectives(CacheDirectiveInfo filter) throws IOException {
        return table().refreshedView().listCacheDirectives(filter);
    }

    @Override
    public HdfsDataOutputStreamBuilder createFile(Path path) {
        return table().refreshedView().createFile(path);
    }

    @Override
    public HdfsDataOutputStreamBuilder appendFile(Path path) {
        return table().refreshedView().appendFile(path);
    }
}
