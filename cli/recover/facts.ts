import { X509Certificate } from "node:crypto";
import { damagedFiles, databaseCheck } from "../../cluster/machines/kept-files";
import { ports } from "../../cluster/network/ports";
import { paths } from "../../cluster/paths";
import type { Controller } from "../reach/controller";

/** What determines how a controller is recovered. */
export interface ControllerFacts {
    /** Its kubelet has a certificate and a key with which it can start now: the machine joined the cluster. */
    readonly hasJoined: boolean;
    readonly hasEtcdData: boolean;
    /** Neither etcd's database nor its log is empty or short. */
    readonly isEtcdDataWhole: boolean;
    /** With its certificates. None of these files is damaged. */
    readonly hasEtcdStaticPod: boolean;
    /** The member reports that it is ready. */
    readonly isEtcdReady: boolean;
    /** The last task of the bootstrap agent, and its progress. */
    readonly last?: {
        /** Undefined for the creation of the cluster. */
        readonly recovery?: RecordedRecovery;
        readonly isOver: boolean;
    };
    /** Names of complete snapshots in its directory, oldest first. */
    readonly snapshots: readonly string[];
}

interface RecordedRecovery {
    readonly id: string;
    readonly from?: string;
    /** See `snapshotIdentity`. */
    readonly snapshot?: string;
    readonly isHeld?: boolean;
}

const data = `${paths.etcdMemberData}/member`;

const script = `
is() { if eval "$2" >/dev/null 2>&1; then echo "$1 yes"; else echo "$1 no"; fi; }
${databaseCheck}file=${data}/snap/db
echo "now $(date +%s)"
echo "certificate $(sed -n '/BEGIN CERTIFICATE/,/END CERTIFICATE/{/---/!p;/END CERTIFICATE/q}' ${paths.kubeletClient} 2>/dev/null | tr -cd 'A-Za-z0-9+/=')"
is key "grep -q 'END .*PRIVATE KEY' ${paths.kubeletClient}"
is data 'test -d ${data}'
is whole 'is_database && test -n "$(find ${data}/wal -name "*.wal" -size +0)"'
is pod 'test -s ${paths.etcdStaticPod}'
is ready 'curl -sf -m 2 http://127.0.0.1:${ports.etcdMetrics}/readyz'
is over 'test -e ${paths.bootstrapState}/pivoted'
{ ${damagedFiles}; } | sed 's/^/damaged /'
for file in "$1"/*.json; do
    name=$(basename "$file" .json)
    if [ -s "$1/$name.db" ]; then echo "snapshot $name"; fi
done
if [ -s ${paths.bootstrap}/bootstrap.json ]; then echo plan; cat ${paths.bootstrap}/bootstrap.json; fi
`;

export async function controllerFacts(controller: Controller, snapshotDirectory: string): Promise<ControllerFacts> {
    return parseFacts(await controller.run(script, [snapshotDirectory]));
}

/** Those that the script answers with yes or no. */
const facts = ["key", "data", "whole", "pod", "ready", "over"];

export function parseFacts(text: string): ControllerFacts {
    const [head = "", plan] = text.split(/^plan$/m);
    const lines = head.trim().split("\n");
    const is = (fact: string) => lines.includes(`${fact} yes`);
    // A machine of which nothing is known must not look like one that has nothing.
    if (!facts.every((fact) => is(fact) || lines.includes(`${fact} no`))) throw new Error("it gave no complete answer");
    const value = (fact: string) => lines.find((line) => line.startsWith(`${fact} `))?.slice(fact.length + 1) ?? "";
    const isDamaged = (path: string) => lines.some((line) => line.startsWith(`damaged ${path}`));
    return {
        hasJoined: is("key") && isValid(value("certificate"), Number(value("now")) * 1000),
        hasEtcdData: is("data"),
        isEtcdDataWhole: is("whole"),
        hasEtcdStaticPod: is("pod") && !isDamaged(paths.etcdStaticPod) && !isDamaged(`${paths.etcdPki}/`),
        isEtcdReady: is("ready"),
        ...(plan !== undefined && { last: { recovery: recoveryOf(plan), isOver: is("over") } }),
        // Names start with the cluster's and end with a timestamp.
        snapshots: lines.flatMap((line) => /^snapshot (.+)$/.exec(line)?.[1] ?? []).sort(),
    };
}

/** @param certificate - base64; a power cut may have left anything */
function isValid(certificate: string, now: number): boolean {
    try {
        return Date.parse(new X509Certificate(Buffer.from(certificate, "base64")).validTo) > now;
    } catch {
        return false;
    }
}

/** A power cut may truncate a plan, which then cannot be resumed. */
function recoveryOf(plan: string): RecordedRecovery | undefined {
    try {
        return JSON.parse(plan).recovery;
    } catch {
        return undefined;
    }
}
