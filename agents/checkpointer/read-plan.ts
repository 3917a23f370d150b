import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../common/read-plan";
import { isParent } from "./parent";
import { type CheckpointerPlan, defaultTimings } from "./plan";

export function readPlan(path: string): CheckpointerPlan {
    return readPlanFile<CheckpointerPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems(plan: CheckpointerPlan): string[] {
    const { apiServers, self, parents, expects, controllerLabel, timings = {} } = plan;
    const { runtimeSocket, credentials, directories, healthPort } = plan;
    const isPlanned = (value: unknown) => isText(value) && parents?.includes(value);
    const isList = (value: unknown, isLegal: (item: unknown) => boolean) =>
        Array.isArray(value) && value.every(isLegal);
    const isUrls = isList(apiServers, (url) => isUrl("https", url)) && apiServers.length > 0;
    const isPort = Number.isInteger(healthPort) && healthPort > 0 && healthPort < 65536;
    const paths: [string, unknown][] = [
        ["runtimeSocket", runtimeSocket],
        ["credentials.ca", credentials?.ca],
        ["credentials.client", credentials?.client],
        ...(credentials?.authorities === undefined
            ? []
            : [["credentials.authorities", credentials.authorities] satisfies [string, unknown]]),
        ...(["checkpoints", "staticPods", "state", "kubeletPods"] as const).map((key): [string, unknown] => [
            `directories.${key}`,
            directories?.[key],
        ]),
    ];
    const checks: Check[] = [
        [isUrls, "apiServers", "a list of at least one https:// URL without a path", apiServers],
        [isParent(self) && isPlanned(self), "self", "one of parents", self],
        [isList(parents, isParent), "parents", "a list of kube-system/<name>", parents],
        [isList(expects, isPlanned), "expects", "a list of some of parents", expects],
        [isText(controllerLabel), "controllerLabel", "a label", controllerLabel],
        [isPort, "healthPort", "a port", healthPort],
        ...paths.map(([key, path]): Check => [isAbsolutePath(path), key, "an absolute path", path]),
        ...Object.entries(timings).map(
            ([key, seconds]): Check => [
                key in defaultTimings && typeof seconds === "number" && seconds >= 0,
                `timings.${key}`,
                `a number of seconds, by one of the names ${Object.keys(defaultTimings).join(", ")}`,
                seconds,
            ],
        ),
    ];
    return problemsOf(checks);
}
