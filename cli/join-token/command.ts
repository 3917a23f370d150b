import { readJoined } from "../../agents/nodes/approver/joined";
import { type Connection, clientOf } from "../../clients/kubernetes/kubeconfig";
import { joinConfig } from "../../cluster/machines/join-template";
import { command } from "../../command-line/command";
import { choice, flag, UsageError, type Values, value } from "../../command-line/parse";
import { apiOptions, type ClusterAccess, reachCluster } from "../reach/cluster";
import { duration } from "../reach/duration";
import { paintFor } from "../status/render/table";
import { formats, render } from "./formats";
import { renderList } from "./list";
import { checkRequest, issueToken, type JoinRequest, revoke } from "./request";

const ofIssuing = ["pool", "address", "address6", "public-address", "expires", "format"];
const options = {
    pool: value("POOL", "pool of workers that the machine joins"),
    address: value("IP", "the machine's IPv4 address: its kubelet gets a certificate for no other"),
    address6: value("IP", "its IPv6 address, in a cluster with IPv6"),
    publicAddress: value("IP", "its public IPv4 address, if a cloud controller reports that of its droplet"),
    expires: value("DURATION", "how long the machine may join: from 5m to 12h", duration("5m", "12h"), {
        otherwise: "1h",
    }),
    format: choice("FORMAT", "what to print", formats, { default: "command" }),
    list: flag("list machines that may join, and those that did", { excludes: [...ofIssuing, "revoke"] }),
    revoke: flag("end the token for NODE, which has not joined", { excludes: ofIssuing }),
    ...apiOptions,
};

type JoinOptions = Values<typeof options>;

const about = "Lets a machine that the stack did not create join a pool of workers, and prints its config.";

export const program = command(
    {
        name: "tradewind join-token",
        about,
        usage: "NODE --pool POOL --address IP [options]",
        words: ["NODE", "name that the machine's Node gets"],
        options,
        notes: `The token is for this name and pool, and for the first machine that uses it. Standard output is the config alone: keep it secret. The format command is a script for root on an installed machine; the others are for its first boot. Issuing needs the cluster's stack: --name or --stack.

Examples:
  tradewind join-token rack-1 --stack prod --pool default --address 10.0.0.7 | ssh root@10.0.0.7 sh
  tradewind join-token rack-1 --stack prod --pool default --address 10.0.0.7 --format butane > rack-1.bu
  tradewind join-token --stack prod --list
  tradewind join-token rack-1 --stack prod --revoke

See docs/joining-machines.md, and tradewind reset, which removes the machine.`,
    },
    joinToken,
);

/** `tradewind join-token`: 0 if the config, or the list, was printed. */
async function joinToken(chosen: JoinOptions, [node, ...others]: readonly string[]): Promise<number> {
    if (others.length > 0) throw new UsageError(`unexpected argument ${others[0]}; see tradewind join-token --help`);
    if (chosen.list && node !== undefined) throw new UsageError("--list and NODE are mutually exclusive");
    if (chosen.list) return list(chosen);
    if (node === undefined) throw new UsageError("missing NODE; see tradewind join-token --help");
    if (chosen.revoke) {
        const { connection } = await reached(chosen);
        await clientOf(connection, "tradewind-join-token").closeAfter((api) => revoke(api, node));
        console.log(`${node} may not join any more`);
        return 0;
    }
    const { pool, address, address6, publicAddress, expires: seconds = 3600 } = chosen;
    if (pool === undefined) throw new UsageError("missing --pool; see tradewind join-token --help");
    if (address === undefined) throw new UsageError("missing --address; see tradewind join-token --help");
    const more = { ...(address6 && { address6 }), ...(publicAddress && { publicAddress }) };
    return issue(chosen, { node, pool, address, seconds, ...more });
}

async function list(chosen: JoinOptions): Promise<number> {
    const { connection } = await reached(chosen);
    const { machines } = await clientOf(connection, "tradewind-join-token").closeAfter(readJoined);
    process.stdout.write(`${renderList(machines, paintFor(process.stdout))}\n`);
    return 0;
}

async function issue(chosen: JoinOptions, request: JoinRequest): Promise<number> {
    const { access, machines } = await reachCluster(chosen);
    if (machines === undefined) throw new UsageError("join-token needs the cluster's stack; use --name or --stack");
    const record = await machines.record();
    checkRequest(request, record);
    const { connection } = connected(access);
    const template = record.joining![request.pool]!;
    // Whether the format can be had, before there is a token.
    const rendered = (token: string) =>
        render(chosen.format, joinConfig(template, { ...request, name: request.node, token }), record.options.name);
    rendered("");
    const { token, expires, isReplaced } = await clientOf(connection, "tradewind-join-token").closeAfter((api) =>
        issueToken(api, request, record.machines),
    );
    if (isReplaced) process.stderr.write(`an earlier token for ${request.node} was revoked\n`);
    process.stderr.write(`${request.node} may join pool ${request.pool} until ${expires}\n`);
    process.stdout.write(rendered(token));
    return 0;
}

async function reached(chosen: JoinOptions) {
    return connected((await reachCluster(chosen)).access);
}

function connected({ name, connection }: ClusterAccess): { readonly connection: Connection } {
    if (connection === undefined) throw new Error(`${name} has no kubeconfig yet`);
    return { connection };
}
