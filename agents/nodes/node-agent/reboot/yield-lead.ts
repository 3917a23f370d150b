import { EtcdClient } from "../../../../clients/etcd/client";
import { describeError } from "../../../../clients/kubernetes/api-error";
import { memberCredentials } from "../../../etcd/member/files";
import { leadElsewhere, oneOfSeveral } from "../../../etcd/member/leader";

/** The machine's own member of etcd. */
export interface OwnMember {
    /** Where clients on this machine reach it: `https://127.0.0.1:2379`. */
    readonly endpoint: string;
    /** Directory of its certificates. */
    readonly pki: string;
}

/** An election takes less than a machine that waits for one. */
const defaultSeconds = 10;

/** Has another member lead etcd, if this machine's does, and tells what came of it: the machine goes down all the same. */
export async function yieldLead({ endpoint, pki }: OwnMember, name: string, seconds = defaultSeconds): Promise<string> {
    try {
        const client = new EtcdClient([endpoint], memberCredentials(pki));
        const patience = { deadline: performance.now() + seconds * 1000, report: () => {} };
        return `another leader of etcd: ${await leadElsewhere(client, oneOfSeveral(name), patience)}`;
    } catch (error) {
        return `etcd may be without a leader for a few seconds: ${describeError(error)}`;
    }
}
