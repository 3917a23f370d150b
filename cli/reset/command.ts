import { clientOf } from "../../clients/kubernetes/kubeconfig";
import { command } from "../../command-line/command";
import { flag, UsageError, type Values, value, wholeNumber } from "../../command-line/parse";
import { apiOptions, reachCluster } from "../reach/cluster";
import { resetNode } from "./reset";

const options = {
    timeout: value("SECONDS", "how long its pods may take to leave: 10 to 7200", wholeNumber(10, 7200), {
        default: 300,
    }),
    lost: flag("give up a machine that is not Ready: no drain, and nothing is cleaned"),
    ...apiOptions,
};

export const program = command(
    {
        name: "tradewind reset",
        about: "Removes a machine that joined by tradewind join-token from its cluster, and everything of the cluster from the machine.",
        usage: "NODE [options]",
        words: ["NODE", "name of the Node"],
        options,
        notes: `It cordons the node and evicts its pods within their disruption budgets. Then the machine stops its kubelet and containers, removes certificates and state, and its Node is deleted. Images and local volumes stay on the machine.

Controllers and machines of the stack are refused: the stack removes those.

Example:
  tradewind reset rack-1 --stack prod

See docs/joining-machines.md.`,
    },
    reset,
);

/** `tradewind reset`: 0 if the machine is no node any more. */
async function reset(
    { timeout, lost, ...choice }: Values<typeof options>,
    [node, ...others]: readonly string[],
): Promise<number> {
    if (node === undefined) throw new UsageError("missing NODE; see tradewind reset --help");
    if (others.length > 0) throw new UsageError(`unexpected argument ${others[0]}; see tradewind reset --help`);
    const { connection, name: cluster } = (await reachCluster(choice)).access;
    if (connection === undefined) throw new Error(`${cluster} has no kubeconfig yet`);
    const request = { node, timeoutSeconds: timeout, isLost: lost, log: console.log };
    console.log(await clientOf(connection, "tradewind-reset").closeAfter((api) => resetNode(api, request)));
    return 0;
}
