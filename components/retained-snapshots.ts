/**
 * Text of a stack output that says where etcd snapshots are that outlive the cluster. `pulumi destroy` prints the outputs
 * that it deletes; of what it retains it only says so.
 *
 * @param remove - shell command that deletes the bucket with its contents
 */
export function retainedSnapshots(bucket: string, remove: string): string {
    return `${bucket} outlives the cluster and its keys: copy these with \`tradewind snapshot --keys-to DIR\` before you destroy it. To delete the bucket: ${remove}`;
}
