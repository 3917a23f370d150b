import type { EtcdClient } from "../common/etcd-client";
import { defragmentationProblem } from "./fragmentation";
import { type MemberState, observe } from "./observe";

/** The member answers nothing meanwhile. Enough for a store of several GiB on a slow disk. */
const limitMilliseconds = 10 * 60_000;

/** Rewrites a member's store without its free pages, unless another member could not stand in for it. */
export async function defragment(client: EtcdClient, endpoint: string, member: MemberState): Promise<string> {
    const problem = defragmentationProblem(await observe(client, endpoint));
    if (problem !== undefined) {
        throw new Error(`${member.name} can't be defragmented while a member is not well: ${problem}`);
    }
    const start = performance.now();
    await client.send(member.clientUrl!, "maintenance/defragment", {}, limitMilliseconds);
    const seconds = (performance.now() - start) / 1000;
    const { dbSize } = await client.status(member.clientUrl!);
    return `defragmented ${member.name}: ${member.dbSize} to ${dbSize} bytes in ${seconds.toFixed(1)} s`;
}
