import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { componentUsers, nobody } from "../../users";
import { type Container, confined, lastWords } from "../pod";
import { listenByEveryAddress, readyEnough, shutdownDelaySeconds } from "./haproxy-timing";

/** Seconds that a draining HAProxy keeps open connections before it cuts them. */
const hardStopSeconds = 80;

/** How often, and how many times in a row, an apiserver must be found not ready until its connections are cut: half a minute. */
const checks = { everySeconds: 3, most: 10 } as const;

/** Hundredths of a second from the start of the apiserver's shutdown delay until its listener is frozen, if nothing is late. */
const freezeAfter = shutdownDelaySeconds * 100 - 10;

/** Hundredths of a second after which an apiserver that still listens is not going to end: its requests wait no longer. */
const freezeEnds = shutdownDelaySeconds * 100 + 100;

/** Hundredths of a second: what ends later than this is not made up for, as requests would wait for too long. */
const mostLate = 50;

/** Seconds that requests have to be answered, once it takes no more, of an apiserver whose port nobody else took. */
const lastAnswersSeconds = 1;

/** A listener of a generation, as the kernel tells it: 127.0.0.1, which each binds once, and nobody who connects to it. */
const listening = `0100007F:${ports.kubeApiserver.toString(16).toUpperCase()} 00000000:0000 0A`;

/** The same of a generation of an earlier release, which ran as nobody: the port can't be shared with it. */
const formerListening = `${listening} [0-9A-F:]+ [0-9A-F:]+ [0-9A-F]+ +${nobody} `;

/**
 * The listener of an apiserver generation.
 *
 * Generations share the node's port 6443 through SO_REUSEPORT. This one binds it only when its own
 * apiserver is ready, or ready enough if nobody else listens, and on SIGUSR1 (the image's stop signal) unbinds it while open connections go on:
 * at once if another generation listens, else only when its apiserver is about to end, as on a machine that
 * shuts down. It never binds 0.0.0.0: with its own apiserver dead it would reach another pod.
 */
export function haproxyContainer(cluster: Cluster, address: string): Container {
    const user = componentUsers["kube-apiserver"];
    return {
        name: "haproxy",
        image: cluster.images.haproxy,
        ...lastWords,
        command: ["/bin/sh", "-eu", "-c", script(address, cluster)],
        env: [{ name: "NODE_IP", valueFrom: { fieldRef: { fieldPath: "status.hostIP" } } }],
        // On a busy machine it needs a share beside apiservers that start: every request passes it, and a drain is timed.
        resources: { requests: { cpu: "100m", memory: "16Mi" } },
        // Generations share a port only under the same user. The temporary pod's own is root.
        securityContext: { ...confined, runAsUser: user, runAsGroup: user },
        readinessProbe: { httpGet: { host: address, port: ports.haproxyReady, path: "/up" }, periodSeconds: 1 },
        volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
    };
}

/**
 * Both configs are checked before use: a broken listener would lock the node out.
 *
 * The gate asks this pod's own apiserver over TLS, all its life: is it ready, is it still listening?
 * On termination the apiserver serves on for its shutdown delay. Then it refuses new requests a moment
 * before each open HTTP/2 connection got its GOAWAY, and a request that arrives in between would fail.
 * So the listener is frozen over that moment: requests wait in the kernel, and reach the apiserver only
 * when the GOAWAY is on its way to the client, which then sends them again over a new connection.
 *
 * Where no other generation listens, as on a machine that shuts down, watches have nowhere to go: the apiserver, and with it
 * the machine, would wait for them in vain, and the API be away for so much longer. So they are cut.
 *
 * A generation of a release that ran as nobody keeps the port until it ends. This one counts as ready meanwhile, so that the
 * rollout goes on, and asks for the port every 10 ms, as HAProxy does while it waits for a process that it replaces: here
 * for one that sleeps.
 *
 * A second signal ends it at once: an init system that ends what its machine still runs waits for nothing that is left.
 */
function script(address: string, cluster: Cluster): string {
    return `dir=$(mktemp -d)
cat > "$dir/gate.cfg" <<'END'
${gateConfig(address)}
END
cat > "$dir/serve.cfg" <<'END'
${serveConfig(address, cluster)}
END
cat > "$dir/up.cfg" <<'END'
${waitingConfig(address)}
END
${cluster.hasApiLoadBalancer ? "" : listenByEveryAddress}apiserver_is() { wget -q -O /dev/null "http://${address}:${ports.apiserverGate}/$1" 2>/dev/null; }
# Hundredths of a second.
now() { read -r up _ </proc/uptime; now=\${up%.*}\${up#*.}; }
listeners() { grep -c '${listening}' /proc/net/tcp || true; }
is_former() { grep -Eq '${formerListening}' /proc/net/tcp; }
serve() {
    haproxy -f "$dir/serve.cfg" "$@" &
    listener=$!
}
is_serving() { kill -0 "$listener" 2>/dev/null; }
wait_for_port() {
    haproxy -f "$dir/up.cfg" &
    up=$!
    sleep 86400 &
    sleeping=$!
    serve -sf "$sleeping"
    while is_former; do
        is_serving || serve -sf "$sleeping"
        sleep 0.1
    done
    # The last try may just have ended.
    sleep 0.2
    is_serving || serve
    kill "$up" || true
    kill -KILL "$sleeping" 2>/dev/null || true
}
unbind() { [ -n "\${unbound-}" ] || kill -USR1 "$listener"; unbound=yes; }
drain() {
    trap '' USR1
    trap 'exit 0' TERM
    if [ "$(listeners)" -gt 1 ]; then unbind; else alone=yes; fi
    tries=0
    now
    since=$now
    while apiserver_is readyz && [ $((tries += 1)) -lt 200 ]; do since=$now; sleep 0.02; now; done
    # On a busy machine looking takes its time: counted from when it was last seen to be ready. And a sleep ends late: in steps,
    # to see by how much, and to begin earlier by twice the worst.
    worst=0
    while now; left=$((${freezeAfter} - 2 * worst - (now - since))); [ "$left" -gt 0 ]; do
        [ "$left" -lt 20 ] || left=20
        wake=$((now + left))
        sleep "0.$(printf %02d "$left")"
        now
        [ $((now - wake)) -le "$worst" ] || worst=$((now - wake))
        [ "$worst" -le ${mostLate} ] || worst=${mostLate}
    done
    unbind
    kill -STOP "$listener"
    while apiserver_is livez && now && [ $((now - since)) -lt ${freezeEnds} ]; do sleep 0.02; done
    # A GOAWAY is on its way as late as a sleep ended.
    sleep "0.$((10 + worst))"
    kill -CONT "$listener"
    [ -n "\${alone-}" ] || return 0
    sleep ${lastAnswersSeconds}
    # Without a client left it has ended.
    kill -TERM "$listener" 2>/dev/null || true
}
trap 'exit 0' USR1 TERM
haproxy -c -q -f "$dir/gate.cfg"
haproxy -c -q -f "$dir/serve.cfg"
haproxy -f "$dir/gate.cfg" &
until apiserver_is readyz; do
    if [ "$(listeners)" -eq 0 ] && apiserver_is '${readyEnough}'; then break; fi
    sleep 0.1
done
if is_former; then wait_for_port; else serve; fi
trap drain USR1 TERM
status=0
# A signal ends a wait early; the listener's own end has its own status.
while is_serving; do wait "$listener" && status=0 || status=$?; done
exit "$status"
`;
}

function gateConfig(address: string): string {
    return `global
    nbthread 1
defaults
    mode http
    option httpclose
    retries 0
    timeout connect 2s
    timeout client 5s
    timeout server 5s
frontend gate
    bind ${address}:${ports.apiserverGate}
    http-request deny unless { path /readyz /livez }
    default_backend own
backend own
    server own ${address}:${ports.kubeApiserver} ssl verify none`;
}

/**
 * An apiserver that has lost its etcd keeps its connections and answers nothing on them: a kubelet stays there for ever,
 * though others would serve it. So they are cut, and closed as soon as they are made, until it is ready again. A listener
 * that drains checks no more. Nothing is tried again: an apiserver that is no more would keep what drains for seconds.
 */
function serveConfig(address: string, { hasApiLoadBalancer }: Cluster): string {
    const { everySeconds, most } = checks;
    const check = `check check-ssl verify none inter ${everySeconds}s fall ${most} rise 1 on-marked-down shutdown-sessions`;
    return `global
    maxconn 8192
    nbthread 2
    hard-stop-after ${hardStopSeconds}s
defaults
    mode tcp
    retries 0
    timeout connect 5s
    timeout client 1h
    timeout server 1h
    timeout tunnel 24h
    timeout check ${checks.everySeconds}s
frontend kubernetes
    bind "${hasApiLoadBalancer ? `\${NODE_IP}:${ports.kubeApiserver}` : "${LISTEN}"}"
    bind 127.0.0.1:${ports.kubeApiserver}
    default_backend own
backend own
    option httpchk GET /${readyEnough}
    server own ${address}:${ports.kubeApiserver} ${check}
${upFrontend(address)}`;
}

function waitingConfig(address: string): string {
    return `global
    nbthread 1
defaults
    timeout connect 5s
    timeout client 5s
    timeout server 5s
${upFrontend(address)}`;
}

function upFrontend(address: string): string {
    return `frontend up
    mode http
    bind ${address}:${ports.haproxyReady}
    monitor-uri /up`;
}
