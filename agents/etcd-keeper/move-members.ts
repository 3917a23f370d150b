import type { EtcdClient, Member } from "../common/etcd-client";
import { describeMember } from "../common/etcd-members";

/**
 * Has the members look for each where it is: one whose machine was made anew, with its data and another address, tells
 * clients of that, and its peers nothing. Alone it needs no peers, and the first one to join would not find it.
 */
export async function moveMembers(client: EtcdClient): Promise<string[]> {
    const moved = (await client.members()).flatMap((member) => {
        const url = newPeerUrl(member);
        return url === undefined ? [] : [{ member, url }];
    });
    for (const { member, url } of moved) {
        await client.update(member.ID, url);
    }
    return moved.map(({ member, url }) => `${describeMember(member)} is at ${url} now`);
}

/** Where peers find a member, if they look elsewhere: clients and peers reach it at the same address. */
export function newPeerUrl({ clientURLs: [clientUrl] = [], peerURLs: [peerUrl] = [] }: Member): string | undefined {
    if (clientUrl === undefined || peerUrl === undefined) {
        return undefined;
    }
    const [client, peer] = [new URL(clientUrl), new URL(peerUrl)];
    return client.hostname === peer.hostname ? undefined : `https://${client.hostname}:${peer.port}`;
}
