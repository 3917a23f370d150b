import type { Cluster } from "../cluster/model";
import { ports } from "../cluster/ports";
import { type Container, confined, nobody } from "./pod";

/** Seconds that a draining HAProxy keeps open connections before it cuts them. */
const hardStopSeconds = 80;

/**
 * The listener of an apiserver generation.
 *
 * Generations share the node's port 6443 through SO_REUSEPORT. This one binds it only when its own
 * apiserver is ready, and on SIGUSR1 (the image's stop signal) unbinds it at once while open
 * connections go on. It never binds 0.0.0.0: with its own apiserver dead it would reach another pod.
 */
export function haproxyContainer(cluster: Cluster, address: string): Container {
    return {
        name: "haproxy",
        image: cluster.images.haproxy,
        command: ["/bin/sh", "-eu", "-c", script(address)],
        env: [{ name: "NODE_IP", valueFrom: { fieldRef: { fieldPath: "status.hostIP" } } }],
        resources: { requests: { cpu: "20m", memory: "16Mi" } },
        // Generations share a port only under the same user.
        securityContext: { ...confined, runAsUser: nobody, runAsGroup: nobody },
        readinessProbe: { httpGet: { host: address, port: ports.haproxyReady, path: "/up" }, periodSeconds: 1 },
        volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
    };
}

/** Both configs are checked before use: a broken listener would lock the node out. */
function script(address: string): string {
    return `trap 'exit 0' USR1 TERM
dir=$(mktemp -d)
cat > "$dir/gate.cfg" <<'END'
${gateConfig(address)}
END
cat > "$dir/serve.cfg" <<'END'
${serveConfig(address)}
END
haproxy -c -q -f "$dir/gate.cfg"
haproxy -c -q -f "$dir/serve.cfg"
haproxy -D -p "$dir/gate.pid" -f "$dir/gate.cfg"
until wget -q -O /dev/null http://${address}:${ports.apiserverGate}/readyz 2>/dev/null; do sleep 0.1; done
exec haproxy -f "$dir/serve.cfg" -sf "$(cat "$dir/gate.pid")"
`;
}

function gateConfig(address: string): string {
    return `defaults
    mode http
    timeout connect 2s
    timeout client 5s
    timeout server 5s
frontend gate
    bind ${address}:${ports.apiserverGate}
    http-request deny unless { path /readyz }
    default_backend own
backend own
    server own ${address}:${ports.kubeApiserver} ssl verify none`;
}

function serveConfig(address: string): string {
    return `global
    maxconn 8192
    nbthread 2
    hard-stop-after ${hardStopSeconds}s
defaults
    mode tcp
    timeout connect 5s
    timeout client 1h
    timeout server 1h
    timeout tunnel 24h
frontend kubernetes
    bind "\${NODE_IP}:${ports.kubeApiserver}"
    bind 127.0.0.1:${ports.kubeApiserver}
    default_backend own
backend own
    server own ${address}:${ports.kubeApiserver}
frontend up
    mode http
    bind ${address}:${ports.haproxyReady}
    monitor-uri /up`;
}
