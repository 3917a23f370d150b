import { resetRequests } from "../../cluster/machines/reset";

const name = "node-reset";

/** Pod that requests a machine's reset: root without capabilities, which writes a file where only root can. */
export function resetPod(node: string, image: string): object {
    return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { generateName: `${name}-`, namespace: "kube-system", labels: { "k8s-app": name } },
        spec: {
            nodeName: node,
            hostNetwork: true,
            restartPolicy: "OnFailure",
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            tolerations: [{ operator: "Exists" }],
            containers: [
                {
                    name,
                    image,
                    command: ["node", "-e", "require('fs').writeFileSync('/reset/requested', '')"],
                    securityContext: {
                        runAsUser: 0,
                        allowPrivilegeEscalation: false,
                        capabilities: { drop: ["ALL"] },
                        readOnlyRootFilesystem: true,
                        seccompProfile: { type: "RuntimeDefault" },
                    },
                    volumeMounts: [{ name: "reset", mountPath: "/reset" }],
                },
            ],
            volumes: [{ name: "reset", hostPath: { path: resetRequests, type: "DirectoryOrCreate" } }],
        },
    };
}
