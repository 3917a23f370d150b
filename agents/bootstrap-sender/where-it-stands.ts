import type { ToldStanding } from "../bootstrap-receiver/assets";
import type { ApiClient } from "../common/api-client";
import type { MachineConsole } from "./delivery";
import { consoleOf } from "./machine-console";
import { standingByApi } from "./standing-by-api";

/** Who was the last to answer at the API's address, and what the machine told of itself. */
export interface Reached {
    readonly who: "nobody" | "receiver" | "API";
    readonly told?: ToldStanding;
}

const journals = (units: string) => `\`journalctl ${units}\` there tells more`;

/** How far a cluster that does not start got, and why no further: in the words of its machine, as far as it can be asked. */
export async function whereItStands(
    api: ApiClient,
    node: string,
    { who, told }: Reached,
    machine: MachineConsole | undefined,
): Promise<string> {
    if (who === "API") return `the API of ${node} served; ${await standingByApi(api, node)}`;
    if (told !== undefined) return `${node}: ${told.stage}\n${told.lastLines.trimEnd()}`;
    if (who === "receiver") {
        const units = journals("-u bootstrap -u kubelet -u containerd");
        return `${node} was given what starts the cluster, and no API came of it: ${units}; ${await consoleOf(machine)}`;
    }
    const units = journals("-u containerd -u bootstrap-receiver");
    return `${node} never answered: its machine did not boot, Ignition or cloud-init failed, or containerd did not run or fetch images: ${units}; ${await consoleOf(machine)}`;
}
