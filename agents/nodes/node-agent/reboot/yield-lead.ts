import { EtcdClient } from "../../../../clients/etcd/client";
import { describeError } from "../../../../clients/kubernetes/api-error";
import { memberCredentials } from "../../../etcd/member/files";
import { leadElsewhere, oneOfSeveral } from "../../../etcd/member/leader";

/** The machine's own member of etcd. */
export interface OwnMember {
    /** Its URL for clients on this machine: `https://127.0.0.1:2379`. */
    readonly endpoint: string;
    /** Directory of its certificates. */
    readonly pki: string;
}

/** An election takes less time than a machine would spend waiting for one. */
const defaultSeconds = 10;

/**
 * Moves the etcd leadership to another member if this machine's leads, and returns the result: the machine goes down in
 * any case.
 */
export async function yieldLead({ endpoint, pki }: OwnMember, name: string, seconds = defaultSeconds): Promise<string> {
    try {
        const client = new EtcdClient([endpoint], memberCredentials(pki));
        const patience = { deadline: performance.now() + seconds * 1000, report: () => {} };
        return `another leader of etcd: ${await leadElsewhere(client, oneOfSeveral(name), patience)}`;
    } catch (error) {
        return `etcd may be without a leader for a few seconds: ${describeError(error)}`;
    }
}
