import assert from "node:assert/strict";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import type { Pod, PodSpec } from "../../../../clients/kubernetes/objects";
import { jobEnd, startOf } from "../../../../components/upgrade/job-end";

const message = "failed to resolve image volume";

function pod(status: Pod["status"], nodeName: string | undefined = "c-0"): Pod {
    return { metadata: { name: "job-x" }, spec: { nodeName, containers: [] } as unknown as PodSpec, status };
}

const waiting = (reason: string, text?: string) => ({
    phase: "Pending",
    containerStatuses: [{ name: "agent", ready: false, state: { waiting: { reason, message: text } } }],
});

/** Title, pods, and what is known of the start; `!` marks one that fails. */
const cases: [string, Pod[], string][] = [
    ["there is no pod", [], "it has no pod yet"],
    ["it runs", [pod({ phase: "Running" })], "it is running"],
    [
        "no node takes it",
        [
            {
                ...pod({ conditions: [{ type: "PodScheduled", status: "False", message: "untolerated taint(s)" }] }),
                spec: { containers: [] },
            },
        ],
        "its pod job-x is not scheduled: untolerated taint(s)",
    ],
    ["its container is created", [pod(waiting("ContainerCreating"))], "its pod job-x on c-0 is being created"],
    [
        "its container cannot be created",
        [pod(waiting("CreateContainerError", message))],
        `!its pod job-x on c-0 waits: agent: CreateContainerError: ${message}`,
    ],
    [
        "an init container has no image",
        [pod({ phase: "Pending", initContainerStatuses: waiting("ImagePullBackOff").containerStatuses })],
        "!its pod job-x on c-0 waits: agent: ImagePullBackOff",
    ],
    [
        "its program ends too often",
        [pod(waiting("CrashLoopBackOff"))],
        "its pod job-x on c-0 waits: agent: CrashLoopBackOff",
    ],
];

describe("A Job that up waits for", () => {
    for (const [title, pods, expected] of cases) {
        it(`has a state if ${title}`, () => {
            const { text, isFailing } = startOf(pods);
            assert.equal(`${isFailing ? "!" : ""}${text}`, expected);
        });
    }

    it("fails early, with the reason, if its pod does not start", async () => {
        const call = async (path: string) =>
            path.includes("/pods") ? { items: [pod(waiting("CreateContainerError", message))] } : { status: {} };
        await assert.rejects(
            jobEnd({ call } as unknown as ApiClient, "job", 600, { patience: 0 }),
            new RegExp(`^Error: the Job kube-system/job does not start: .*CreateContainerError: ${message}$`),
        );
    });
});
