import type { EtcdClient } from "./client";

/** Outside Kubernetes' own keys, which are all under `/registry`. */
const key = base64("tradewind/etcd-turn");

interface Answer {
    readonly succeeded?: boolean;
    readonly responses?: readonly {
        readonly response_range?: { readonly kvs?: readonly { readonly value: string }[] };
    }[];
}

/**
 * Acquires the turn for `name` to stop its member briefly, if it is free. Returns the current holder. The turn expires, so
 * that a crashed holder does not block others for longer.
 *
 * Health checks alone do not exclude each other: two members checking at the same time both find the other healthy.
 *
 * @param seconds - duration
 */
export async function takeTurn(client: EtcdClient, name: string, seconds: number): Promise<string> {
    const { ID: lease } = await client.ask<{ ID: string }>("lease/grant", { TTL: String(seconds) });
    const putIf = (condition: object) =>
        client.ask<Answer>("kv/txn", {
            compare: [{ key, result: "EQUAL", ...condition }],
            success: [{ requestPut: { key, value: base64(name), lease } }],
            failure: [{ requestRange: { key } }],
        });
    const first = await putIf({ target: "CREATE", createRevision: "0" });
    const answer = first.succeeded ? first : await putIf({ target: "VALUE", value: base64(name) });
    if (answer.succeeded) return name;
    await client.ask("lease/revoke", { ID: lease });
    const value = answer.responses?.[0]?.response_range?.kvs?.[0]?.value;
    return value === undefined ? "another" : Buffer.from(value, "base64").toString();
}

/** Why it is not this member's turn; takes the turn if it is free. */
export async function turnProblem(client: EtcdClient, name: string, seconds: number): Promise<string | undefined> {
    const holder = await takeTurn(client, name, seconds);
    return holder === name ? undefined : `${holder} has the turn`;
}

/** Ends a turn early. */
export async function endTurn(client: EtcdClient, name: string): Promise<void> {
    await client.ask("kv/txn", {
        compare: [{ key, result: "EQUAL", target: "VALUE", value: base64(name) }],
        success: [{ requestDeleteRange: { key } }],
    });
}

function base64(text: string): string {
    return Buffer.from(text).toString("base64");
}
