/**
 * A stack output that says where etcd snapshots are that outlive the cluster: its bucket, and commands that copy the keys
 * of its snapshots before a destroy, and delete it afterwards. `up` prints up to 150 characters of each text. A destroy
 * marks what it retains, without the bucket's name.
 *
 * @param remove - shell command that deletes the bucket with its contents
 */
export function retainedSnapshots(bucket: string, remove: string): Record<string, string> {
    return { bucket, copyKeys: "tradewind snapshot --keys-to DIR", delete: remove };
}
