import { isIPv4 } from "node:net";
import { isAbsolutePath, isText, isUrl, readPlanFile } from "../common/read-plan";
import { type BootstrapPlan, defaultTimeouts, type Process } from "./plan";
import { recoveryStepNames, stepNames } from "./step-names";

export function readPlan(path: string): BootstrapPlan {
    return readPlanFile<BootstrapPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
export function planProblems(value: unknown): string[] {
    const problems: string[] = [];
    const check = (isLegal: boolean, path: string, legal: string, got: unknown) => {
        if (!isLegal) {
            problems.push(`${path} must be ${legal}, got ${JSON.stringify(got)}`);
        }
    };
    const plan = record(value);
    for (const key of ["clusterName", "nodeName", "fieldManager"]) {
        check(isText(plan[key]), key, "a name", plan[key]);
    }
    check(isUrl("https", plan.apiServer), "apiServer", "an https:// URL without a path", plan.apiServer);
    for (const key of ["assets", "secrets", "staticPods", "state"]) {
        const path = record(plan.directories)[key];
        check(isAbsolutePath(path), `directories.${key}`, "an absolute path", path);
    }
    const restart = plan.kubeletRestart;
    check(isAbsolutePath(restart), "kubeletRestart", "an absolute path", restart);
    for (const key of ["ca", "cert", "key"]) {
        const path = record(plan.credentials)[key];
        check(isAssetPath(path), `credentials.${key}`, "a path below the assets", path);
    }
    for (const [index, component] of list(plan.temporary).entries()) {
        checkProcess(component, `temporary[${index}]`, check);
        check(
            isAssetPath(component.manifest),
            `temporary[${index}].manifest`,
            "a path below the assets",
            component.manifest,
        );
    }
    const apiservers = list(plan.temporary).filter(({ name }) => name === "kube-apiserver");
    check(apiservers.length === 1, "temporary", "a list with one kube-apiserver", plan.temporary);
    for (const [index, component] of list(plan.selfHosted).entries()) {
        const path = `selfHosted[${index}]`;
        checkProcess(component, path, check);
        check(component.kind === "DaemonSet", `${path}.kind`, '"DaemonSet"', component.kind);
        check(isText(component.namespace), `${path}.namespace`, "a name", component.namespace);
        const { port, path: listenerPath } = record(component.listener ?? { port: 1, path: "/" });
        check(isPort(port) && isUrlPath(listenerPath), `${path}.listener`, "a port and a path", component.listener);
    }
    check(list(plan.selfHosted).length > 0, "selfHosted", "a list of at least one component", plan.selfHosted);
    check(isTextRecord(plan.controllerLabels), "controllerLabels", "a map of labels", plan.controllerLabels);
    const identity = plan.kubeletIdentity ?? "/";
    check(isText(identity) && identity.startsWith("/"), "kubeletIdentity", "an absolute path", identity);
    const hours = record(plan.tokens).expiresAfterHours;
    check(isPositive(hours), "tokens.expiresAfterHours", "a positive number", hours);
    check(isTextRecord(plan.versions), "versions", "a map of versions", plan.versions);
    const none = { id: "none", from: "none", isHeld: false, nodes: [] };
    const { id, from, isHeld, nodes, hasOtherNodes = false } = record(plan.recovery ?? none);
    check(isText(id), "recovery.id", "a name", id);
    check(isText(from), "recovery.from", "a name", from);
    check(typeof isHeld === "boolean", "recovery.isHeld", "true or false", isHeld);
    check(Array.isArray(nodes) && nodes.every(isText), "recovery.nodes", "a list of names", nodes);
    check(typeof hasOtherNodes === "boolean", "recovery.hasOtherNodes", "true or false", hasOtherNodes);
    for (const [step, seconds] of Object.entries(record(plan.timeouts))) {
        check(step in defaultTimeouts, "timeouts", `a map of ${[...stepNames, ...recoveryStepNames].join(", ")}`, step);
        check(isPositive(seconds), `timeouts.${step}`, "a positive number of seconds", seconds);
    }
    for (const key of ["resumeGraceSeconds", "longestSilenceSeconds"]) {
        const seconds = plan[key] ?? 0;
        check(typeof seconds === "number" && seconds >= 0, key, "a number of seconds", seconds);
    }
    return problems;
}

type Check = (isLegal: boolean, path: string, legal: string, got: unknown) => void;

function checkProcess(process: Partial<Record<keyof Process, unknown>>, path: string, check: Check): void {
    const { name, address, port, probe } = process;
    check(isText(name) && /^[a-z0-9-]+$/.test(name), `${path}.name`, "a name", name);
    const isLoopback = isText(address) && isIPv4(address) && address.startsWith("127.") && address !== "127.0.0.1";
    check(isLoopback, `${path}.address`, "a loopback address other than 127.0.0.1", address);
    check(isPort(port), `${path}.port`, "a port", port);
    check(isUrlPath(probe), `${path}.probe`, "a path that begins with /", probe);
}

function record(value: unknown): Record<string, unknown> {
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): Record<string, unknown>[] {
    return Array.isArray(value) ? value.map(record) : [];
}

function isTextRecord(value: unknown): boolean {
    return (
        typeof value === "object" && value !== null && Object.values(value).every((text) => typeof text === "string")
    );
}

function isPositive(value: unknown): boolean {
    return typeof value === "number" && value > 0 && Number.isFinite(value);
}

function isPort(value: unknown): boolean {
    return Number.isInteger(value) && Number(value) > 0 && Number(value) < 65536;
}

function isUrlPath(value: unknown): boolean {
    return isText(value) && value.startsWith("/");
}

function isAssetPath(value: unknown): boolean {
    return isText(value) && !value.startsWith("/") && !value.split("/").includes("..");
}
