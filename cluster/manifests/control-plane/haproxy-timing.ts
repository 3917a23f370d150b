import { ports } from "../../network/ports";

const port = ports.kubeApiserver;

/**
 * Shell lines that set `LISTEN`, in HAProxy's syntax, to the node's own address and all others of the machine: the
 * kubelet only provides the first one, which on a cloud is not the public one.
 *
 * Each address is bound individually, because 0.0.0.0 includes those of the loopback interface, which the apiservers
 * use. They are read from kernel tables, because the image has no program that lists them. IPv6 addresses are skipped
 * if they are link-local, or if the kernel cannot bind them because another machine may have, or has, the same address.
 */
export const listenByEveryAddress = `export LISTEN="$NODE_IP:${port}"
while read -r first second _; do
    case "$first $second" in
    '|-- '*) own=$second ;;
    '/32 host')
        case "$own,$LISTEN," in
        127.* | *",$own:${port},"*) ;;
        *) LISTEN="$LISTEN,$own:${port}" ;;
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
        LISTEN="$LISTEN,[\${own#:}]:${port}"
    done <"$ipv6"
fi
`;

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
