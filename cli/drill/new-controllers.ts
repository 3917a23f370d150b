import { pulumi } from "../pulumi-cli";
import { makeResumable } from "../resume";
import type { ClusterState } from "../state";
import { operate } from "../up";

interface Export {
    readonly deployment: { readonly resources: readonly { readonly urn: string }[] };
}

/** Destroys machines with their disks and makes others of the same names, by the stack and nothing else of it. */
export async function replaceMachines(
    state: ClusterState,
    names: readonly string[],
    say: (line: string) => void,
): Promise<void> {
    const { deployment }: Export = JSON.parse(await pulumi(state, ["stack", "export"]));
    const targets = machineUrns(
        deployment.resources.map(({ urn }) => urn),
        names,
    );
    await makeResumable(state, say);
    // The cluster that the rest of the stack is in has gone with its controllers.
    await operate(
        state,
        [
            "up",
            "--skip-preview",
            "--yes",
            "--config-file",
            state.config,
            ...targets.flatMap((urn) => ["--target-replace", urn]),
        ],
        say,
        { TRADEWIND_WITHOUT_API: "true" },
    );
}

/** The resources of machines, by their names. */
export function machineUrns(urns: readonly string[], names: readonly string[]): string[] {
    return names.map((name) => {
        const urn = urns.find((each) => each.endsWith(`$command:local:Command::${name}`));
        if (urn === undefined) {
            throw new Error(`the stack must have the machine ${name}, and has not`);
        }
        return urn;
    });
}
