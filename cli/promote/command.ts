import { clientOf } from "../../clients/kubernetes/kubeconfig";
import { command, type Program } from "../../command-line/command";
import { UsageError, type Values } from "../../command-line/parse";
import { apiOptions, reachCluster } from "../reach/cluster";
import { requestRole } from "./request";

/** `tradewind promote` or `tradewind demote`: 0 if the node has its role. */
export function roleCommand(kind: "promote" | "demote", about: string, notes: string): Program<typeof apiOptions> {
    const name = `tradewind ${kind}`;
    return command(
        { name, about, usage: "NODE [options]", words: ["NODE", "name of the Node"], options: apiOptions, notes },
        async (choice: Values<typeof apiOptions>, [node, ...others]) => {
            if (node === undefined) throw new UsageError(`missing NODE; see ${name} --help`);
            if (others.length > 0) throw new UsageError(`unexpected argument ${others[0]}; see ${name} --help`);
            const { connection, name: cluster } = (await reachCluster(choice)).access;
            if (connection === undefined) throw new Error(`${cluster} has no kubeconfig yet`);
            const act = clientOf(connection, `tradewind-${kind}`);
            console.log(await act.closeAfter((api) => requestRole(api, { kind, node, log: console.log })));
            return 0;
        },
    );
}

export const program = roleCommand(
    "promote",
    "Makes a candidate a controller, and waits until it is one.",
    `The node must be in a pool of controllers.candidates. It may be promoted beyond the number of controllers of the stack.
Ctrl-C stops waiting; the cluster goes on.

Example:
  tradewind promote --stack prod prod-default-0

See also tradewind demote.`,
);
