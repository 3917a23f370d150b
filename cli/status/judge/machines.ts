import { ifKnown } from "../fact";
import type { ClusterFacts, MachineFacts } from "../facts";
import { critical, type Finding, warning } from "../finding";

export function judgeMachines({ machines }: ClusterFacts): Finding[] {
    return (ifKnown(machines) ?? []).flatMap(judgeMachine);
}

function judgeMachine({ name, state, inside }: MachineFacts): Finding[] {
    if (state === "unreached" && "unknown" in inside) {
        // A firewall may be in the way: whether the machine is well, others tell.
        return [warning("machine-unreached", `No SSH gets to a controller: ${inside.unknown}.`)];
    }
    if (state !== "running") {
        return [
            critical(
                "machine-off",
                `The machine ${name} is ${state}.`,
                state === "paused" ? `docker unpause lets it go on.` : "npm start brings it up again.",
            ),
        ];
    }
    if ("unknown" in inside) {
        return [
            critical(
                "machine-silent",
                `The machine ${name} runs, but does not answer: ${inside.unknown}.`,
                "Its console may tell: docker logs, or restart it.",
            ),
        ];
    }
    const { kubelet, containerd } = inside.value;
    return [
        ...(containerd === "active"
            ? []
            : [
                  critical(
                      "containerd-down",
                      `containerd on ${name} is ${containerd}.`,
                      "On that machine: journalctl -u containerd",
                  ),
              ]),
        ...(kubelet === "ok"
            ? []
            : [
                  critical(
                      "kubelet-down",
                      `The kubelet on ${name} is not well: ${kubelet}.`,
                      "On that machine: journalctl -u kubelet",
                  ),
              ]),
    ];
}
