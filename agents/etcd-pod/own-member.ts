import { existsSync, readFileSync } from "node:fs";
import { flagsOf, isStanding } from "../common/member-runner";

/** The machine's own member, as its static pod has it. */
export interface OwnMember {
    readonly name: string;
    readonly flags: readonly string[];
    readonly clientUrl: string;
    /** Where it tells of its health, to this machine alone. */
    readonly healthUrl: string;
}

/** The member that the pod of the API is to run, or why there is none for it. */
export function readOwnMember(staticPod: string, images: string): OwnMember | string {
    const text = existsSync(staticPod) ? readFileSync(staticPod, "utf8") : "{}";
    return ownMember(JSON.parse(text).spec?.containers?.[0]?.command, images);
}

/** @param command - of the machine's own member, if there is one @param images - of this pod */
export function ownMember(command: readonly string[] | undefined, images: string): OwnMember | string {
    if (command === undefined) {
        return "the machine has no member";
    }
    if (!isStanding(command)) {
        return "the machine's member gives way to nobody";
    }
    if (command[4] !== images) {
        return `the machine's member is of ${command[4]}, this pod is of ${images}`;
    }
    const flags = flagsOf(command);
    const flag = (name: string) =>
        flags.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + "--=".length) ?? "";
    return {
        name: flag("name"),
        flags,
        clientUrl: flag("advertise-client-urls"),
        healthUrl: flag("listen-metrics-urls"),
    };
}
