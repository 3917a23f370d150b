import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { type Container, confined, lastWords } from "../pod";

/**
 * Checks of an apiserver that always fail for the first second: it looks for the default roles and priority classes
 * before it can read, and retries a second later. An existing cluster already has them; a new one waits for all checks
 * anyway.
 */
const slowChecks = ["poststarthook/rbac/bootstrap-roles", "poststarthook/scheduling/bootstrap-system-priority-classes"];

/**
 * What an apiserver must be ready for if there is no other: everything else, including that it has the cluster's state.
 * kubeadm's apiserver serves even before that.
 */
export const readyEnough = `readyz?${slowChecks.map((check) => `exclude=${check}`).join("&")}`;

/** Seconds that an apiserver continues to serve after it is asked to terminate. */
export const shutdownDelaySeconds = 4;

/** Seconds that it then gives open watches to end by themselves. */
export const watchGraceSeconds = 5;

/** Seconds that a draining HAProxy keeps open connections before it closes them. */
const hardStopSeconds = 80;

/**
 * How often, and how many times in a row, an apiserver must be found not ready before its connections are closed: half
 * a minute.
 */
const checks = { everySeconds: 3, most: 10 } as const;

/**
 * Hundredths of a second from the start of the apiserver's shutdown delay until its listener is frozen, if nothing is
 * late.
 */
const freezeAfter = shutdownDelaySeconds * 100 - 10;

/**
 * Hundredths of a second after which an apiserver that still listens is not going to terminate: requests are released.
 */
const freezeEnds = shutdownDelaySeconds * 100 + 100;

/** Hundredths of a second: longer delays are not compensated, because requests would wait too long. */
const mostLate = 50;

/** Seconds to finish requests once it accepts no more, for an apiserver whose port no other has taken over. */
const lastAnswersSeconds = 1;

/** The end of an apiserver's listener in the kernel's tables, after its address. */
const listens = `${ports.kubeApiserver.toString(16).toUpperCase()} 00000000:0000 0A`;

/** A generation's listener in the kernel's tables: 127.0.0.1, which each one binds once, without connections to it. */
const listening = `0100007F:${listens}`;

/**
 * Listener of an apiserver generation.
 *
 * Generations share the node's port 6443 with SO_REUSEPORT. A generation only binds it once its own apiserver is ready,
 * or ready enough if no other one listens. On SIGUSR1 (the image's stop signal) it unbinds the port while open
 * connections continue: at once if another generation listens, otherwise only when its apiserver is about to terminate,
 * as when the machine shuts down. It never binds 0.0.0.0: with its own apiserver dead, it would reach another pod.
 */
export function haproxyContainer(cluster: Cluster, address: string): Container {
    return {
        name: "haproxy",
        image: cluster.images.haproxy,
        ...lastWords,
        command: ["/bin/sh", "-eu", "-c", script(address, cluster)],
        env: [{ name: "NODE_IP", valueFrom: { fieldRef: { fieldPath: "status.hostIP" } } }],
        // On a busy machine it needs CPU time next to starting apiservers: it handles every request, and drains depend
        // on timing.
        resources: { requests: { cpu: "100m", memory: "16Mi" } },
        securityContext: confined,
        readinessProbe: { httpGet: { host: address, port: ports.haproxyReady, path: "/up" }, periodSeconds: 1 },
        volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
    };
}

/**
 * Both configs are checked before use: a broken listener would lock the node out.
 *
 * The gate says whether this pod's own apiserver is ready, and the kernel whether it still listens. On termination, the
 * apiserver continues to serve for its shutdown delay. Then it refuses new requests slightly before each open
 * HTTP/2 connection gets its GOAWAY, and a request that arrives in between would fail. So the listener is frozen during
 * that time: requests wait in the kernel and reach the apiserver only when the GOAWAY is on its way to the client,
 * which then retries them on a new connection.
 *
 * If no other generation listens, as when the machine shuts down, watches cannot move: the apiserver, and with it the
 * machine, would wait for them in vain, and the API would be down for longer. So they are closed.
 *
 * A second signal stops it at once: an init system that stops the remaining processes should not have to wait.
 */
function script(address: string, cluster: Cluster): string {
    return `dir=$(mktemp -d)
cat > "$dir/gate.cfg" <<'END'
${gateConfig(address)}
END
cat > "$dir/serve.cfg" <<'END'
${serveConfig(address, cluster)}
END
${cluster.apiLoadBalancer ? "" : listenByEveryAddress}apiserver_is() { wget -q -O /dev/null "http://${address}:${ports.apiserverGate}/$1" 2>/dev/null; }
# In shell, because a copy of this pod gets its own address by replacing this one.
IFS=. read -r a b c d <<'END'
${address}
END
own_listener=$(printf '%02X%02X%02X%02X:%s' "$d" "$c" "$b" "$a" '${listens}')
# Hundredths of a second.
now() { read -r up _ </proc/uptime; now=\${up%.*}\${up#*.}; }
listeners() { grep -c '${listening}' /proc/net/tcp || true; }
is_serving() { kill -0 "$listener" 2>/dev/null; }
unbind() { [ -n "\${unbound-}" ] || kill -USR1 "$listener"; unbound=yes; }
drain() {
    # First: on a busy machine, the next command may take a tenth of a second.
    now
    since=$now
    trap '' USR1
    trap 'exit 0' TERM
    if [ "$(listeners)" -gt 1 ]; then unbind; else alone=yes; fi
    tries=0
    while apiserver_is readyz && [ $((tries += 1)) -lt 200 ]; do since=$now; sleep 0.02; now; done
    # Probes and sleeps are late on a busy machine. Count from the last successful probe, sleep in short steps, and start
    # earlier by twice the worst delay seen.
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
    # A query takes a tenth of a second on a busy machine, and requests wait meanwhile.
    while grep -q "$own_listener" /proc/net/tcp && now && [ $((now - since)) -lt ${freezeEnds} ]; do sleep 0.02; done
    # A GOAWAY is late by as much as a sleep.
    sleep "0.$(printf %02d $((4 + worst)))"
    kill -CONT "$listener"
    [ -n "\${alone-}" ] || return 0
    sleep ${lastAnswersSeconds}
    # It exits once no client is left.
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
haproxy -f "$dir/serve.cfg" &
listener=$!
trap drain USR1 TERM
status=0
# A signal ends a wait early; the listener's own end has its own status.
while is_serving; do wait "$listener" && status=0 || status=$?; done
exit "$status"
`;
}

/**
 * Shell lines that set `LISTEN`, in HAProxy's syntax, to the node's own address and all others of the machine: the
 * kubelet only provides the first one, which on a cloud is not the public one.
 *
 * Each address is bound individually, because 0.0.0.0 includes those of the loopback interface, which the apiservers
 * use. They are read from kernel tables, because the image has no program that lists them. IPv6 addresses are skipped
 * if they are link-local, or if the kernel cannot bind them because another machine may have, or has, the same address.
 */
export const listenByEveryAddress = `export LISTEN="$NODE_IP:${ports.kubeApiserver}"
while read -r first second _; do
    case "$first $second" in
    '|-- '*) own=$second ;;
    '/32 host')
        case "$own,$LISTEN," in
        127.* | *",$own:${ports.kubeApiserver},"*) ;;
        *) LISTEN="$LISTEN,$own:${ports.kubeApiserver}" ;;
        esac
        ;;
    esac
done </proc/net/fib_trie
ipv6=/proc/net/if_inet6
if [ -e "$ipv6" ]; then
    while read -r hex _ _ scope flags _; do
        [ "$scope" = 00 ] && [ $((0x$flags & 0x48)) -eq 0 ] || continue
        own=
        while [ -n "$hex" ]; do
            rest=\${hex#????}
            own="$own:\${hex%"$rest"}"
            hex=$rest
        done
        LISTEN="$LISTEN,[\${own#:}]:${ports.kubeApiserver}"
    done <"$ipv6"
fi
`;

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
    http-request deny unless { path /readyz }
    default_backend own
backend own
    server own ${address}:${ports.kubeApiserver} ssl verify none`;
}

/**
 * Connections at the same time, so that nothing takes the API from the others: of this machine's own programs, which
 * have a listener of their own; of the rest together; of all pods and of one, where they arrive with their own
 * addresses; and of any other address. That may be a load balancer's, which hides those of all clients, or a node's,
 * which hides those of its pods. Machines may limit open files to 20 000: two for each connection.
 */
const connections = {
    ofMachine: 1_000,
    ofOthers: 7_000,
    ofPods: 2_000,
    ofPod: 200,
    ofBalancer: 3_000,
    ofAddress: 1_000,
} as const;

/** Time for a client to send its ClientHello. */
const helloSeconds = 5;

/**
 * An apiserver that has lost its etcd keeps its connections but does not respond: a kubelet would stay connected
 * forever although others could serve it. So connections are closed, and new ones refused, until it is ready again. A
 * draining listener no longer checks. There are no retries: an apiserver that has terminated would delay the drain for
 * seconds.
 *
 * A connection only reaches the apiserver, and only stays, if it begins with a ClientHello: all TLS clients send it first.
 */
function serveConfig(address: string, { apiLoadBalancer, network }: Cluster): string {
    const { everySeconds, most } = checks;
    const check = `check check-ssl verify none inter ${everySeconds}s fall ${most} rise 1 on-marked-down shutdown-sessions`;
    const { ofMachine, ofOthers, ofPods, ofPod, ofBalancer, ofAddress } = connections;
    const podBlocks = [network.podCidr, network.podCidr6].flatMap((cidr) => cidr?.text ?? []).join(" ");
    const hello = `    tcp-request inspect-delay ${helloSeconds}s
    tcp-request content accept if { req.ssl_hello_type 1 }
    tcp-request content reject
    default_backend own`;
    return `global
    maxconn ${ofMachine + ofOthers}
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
    bind "${apiLoadBalancer ? `\${NODE_IP}:${ports.kubeApiserver}` : "${LISTEN}"}"
    maxconn ${ofOthers}
    acl is_pod src ${podBlocks}
    stick-table type ipv6 size 100k expire 1m store conn_cur
    tcp-request connection track-sc0 src
    tcp-request connection track-sc1 int(0) table pods if is_pod
    tcp-request connection reject if is_pod { sc0_conn_cur gt ${ofPod} }
    tcp-request connection reject if is_pod { sc1_conn_cur gt ${ofPods} }
    tcp-request connection reject if { sc0_conn_cur gt ${apiLoadBalancer ? ofBalancer : ofAddress} }
${hello}
frontend machine
    bind 127.0.0.1:${ports.kubeApiserver}
    maxconn ${ofMachine}
${hello}
backend pods
    stick-table type integer size 1 expire 1m store conn_cur
backend own
    option httpchk GET /${readyEnough}
    server own ${address}:${ports.kubeApiserver} ${check}
frontend up
    mode http
    bind ${address}:${ports.haproxyReady}
    monitor-uri /up`;
}
