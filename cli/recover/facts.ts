import { ports } from "../../cluster/network/ports";
import { paths } from "../../cluster/paths";
import type { Controller } from "../reach/controller";

/** What determines how a controller is recovered. */
export interface ControllerFacts {
    /** Its kubelet has a certificate: the machine joined the cluster. */
    readonly hasJoined: boolean;
    readonly hasEtcdData: boolean;
    readonly hasEtcdStaticPod: boolean;
    /** The member reports that it is ready. */
    readonly isEtcdReady: boolean;
    /** The last task of the bootstrap agent, and its progress. */
    readonly last?: {
        /** Undefined for the creation of the cluster. */
        readonly recovery?: { readonly id: string; readonly from?: string; readonly isHeld?: boolean };
        readonly isOver: boolean;
    };
    /** Names of complete snapshots in its directory, oldest first. */
    readonly snapshots: readonly string[];
}

const script = `
is() { if eval "$2" >/dev/null 2>&1; then echo "$1 yes"; else echo "$1 no"; fi; }
is joined 'test -s ${paths.kubeletClient}'
is data 'test -d ${paths.etcdMemberData}/member'
is pod 'test -s ${paths.etcdStaticPod}'
is ready 'curl -sf -m 2 http://127.0.0.1:${ports.etcdMetrics}/readyz'
is over 'test -e ${paths.bootstrapState}/pivoted'
for file in "$1"/*.json; do
    name=$(basename "$file" .json)
    if [ -s "$1/$name.db" ]; then echo "snapshot $name"; fi
done
if [ -s ${paths.bootstrap}/bootstrap.json ]; then echo plan; cat ${paths.bootstrap}/bootstrap.json; fi
`;

export async function controllerFacts(controller: Controller, snapshotDirectory: string): Promise<ControllerFacts> {
    return parseFacts(await controller.run(script, [snapshotDirectory]));
}

export function parseFacts(text: string): ControllerFacts {
    const [head = "", plan] = text.split(/^plan$/m);
    const lines = head.trim().split("\n");
    const is = (fact: string) => lines.includes(`${fact} yes`);
    return {
        hasJoined: is("joined"),
        hasEtcdData: is("data"),
        hasEtcdStaticPod: is("pod"),
        isEtcdReady: is("ready"),
        ...(plan !== undefined && { last: { recovery: recoveryOf(plan), isOver: is("over") } }),
        // Names start with the cluster's and end with a timestamp.
        snapshots: lines.flatMap((line) => /^snapshot (.+)$/.exec(line)?.[1] ?? []).sort(),
    };
}

/** A power cut may truncate a plan, which then cannot be resumed. */
function recoveryOf(plan: string): { id: string; from?: string; isHeld?: boolean } | undefined {
    try {
        return JSON.parse(plan).recovery;
    } catch {
        return undefined;
    }
}
