import { killProcess, type MemberProcess, memberProcess } from "../common/etcd-process";
import { listens } from "../common/listens";
import type { Run } from "./run";

const clientUrls = "--listen-client-urls=";

/** The kubelet gives a member that it ends for another image more time than requests have. */
export function killIfEnding({ plan, ending, report }: Pick<Run, "plan" | "ending" | "report">): void {
    const member = memberProcess(plan.directories.data);
    if (member !== undefined && ending.isOver(member.pid, takesRequests(member), performance.now())) {
        report(`${plan.name} takes no more requests, and is ended at once`);
        killProcess(member.pid);
    }
}

/** One that ends closes its listeners one after the other, and lets the watches of each go on before it closes the next. */
function takesRequests({ pid, flags }: MemberProcess): boolean | undefined {
    const urls = flags.find((flag) => flag.startsWith(clientUrls))?.slice(clientUrls.length);
    const told = urls?.split(",").map((url) => listens(pid, url)) ?? [];
    if (told.includes(false)) return false;
    return told.length === 0 || told.includes(undefined) ? undefined : true;
}
