import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../../common/read-plan";
import { s3Checks } from "../read-plan";
import type { RestorePlan } from "./plan";

export function readRestorePlan(path: string): RestorePlan {
    return readPlanFile<RestorePlan>(path, restorePlanProblems);
}

/** What is wrong with a plan, each with its path. */
export function restorePlanProblems(plan: RestorePlan): string[] {
    const { id, member, initialCluster, directories, etcdutl, bumpRevision = 1 } = plan;
    const own = `${member?.name}=${member?.peerUrl}`;
    return problemsOf([
        [isText(id) && /^[\w.-]+$/.test(id), "id", "a plain name", id],
        ...sourceChecks(plan.source),
        [isText(member?.name), "member.name", "a name", member?.name],
        [isUrl("https", member?.peerUrl), "member.peerUrl", "an https:// URL without a path", member?.peerUrl],
        [isUrl("http", member?.healthUrl), "member.healthUrl", "an http:// URL without a path", member?.healthUrl],
        [
            isText(initialCluster) && initialCluster.split(",").includes(own),
            "initialCluster",
            `a list with ${own}`,
            initialCluster,
        ],
        ...(["data", "staticPods", "state"] as const).map((key): Check => {
            const path = directories?.[key];
            return [isAbsolutePath(path), `directories.${key}`, "an absolute path", path];
        }),
        [isAbsolutePath(etcdutl), "etcdutl", "an absolute path", etcdutl],
        [
            Number.isSafeInteger(bumpRevision) && bumpRevision > 0,
            "bumpRevision",
            "a positive whole number",
            bumpRevision,
        ],
    ]);
}

function sourceChecks(source: RestorePlan["source"] | undefined): Check[] {
    if (source !== undefined && "s3" in source) {
        return [
            [isText(source.cluster), "source.cluster", "a name", source.cluster],
            ...s3Checks(source.s3, "source.s3"),
        ];
    }
    return [[isAbsolutePath(source?.file), "source.file", "an absolute path", source?.file]];
}
