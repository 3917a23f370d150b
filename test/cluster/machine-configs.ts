/** An Ignition configuration with a unit that runs a shell script, for tests of the machines themselves. */
function scripted(unit: string, service: string, script: string, files: Record<string, string> = {}): string {
    const contents = (text: string) => ({ source: `data:,${encodeURIComponent(text)}` });
    const all = Object.entries({ ...files, "/opt/script": script });
    return JSON.stringify({
        ignition: { version: "3.5.0" },
        storage: {
            directories: [{ path: "/var/lib/tradewind/bootstrap" }],
            files: all.map(([path, text]) => ({ path, mode: 0o600, overwrite: true, contents: contents(text) })),
        },
        systemd: {
            units: [
                {
                    name: unit,
                    enabled: true,
                    contents: `[Service]\n${service}\nExecStart=/bin/sh /opt/script\n[Install]\nWantedBy=multi-user.target\n`,
                },
            ],
        },
    });
}

/** A machine that serves its own name at /readyz over TLS, like an apiserver behind the load balancer. */
export function apiServer(name: string): string {
    const script = `set -eu
[ -e /etc/api.pem.key ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=api \
    -keyout /etc/api.pem.key -out /etc/api.pem
exec haproxy -db -f /etc/api.cfg
`;
    const config = `defaults
 mode http
 timeout client 1m
 timeout server 1m
 timeout connect 1s
frontend api
 bind :6443 ssl crt /etc/api.pem
 http-request return status 200 content-type text/plain string ${name}
`;
    const files = { "/etc/hostname": name, "/etc/secret": "hunter2", "/etc/api.cfg": config };
    return scripted("fake-api.service", "Type=exec", script, files);
}

/** A machine with this script as its bootstrap. */
export function bootstrapping(script: string): string {
    return scripted("bootstrap.service", "Type=oneshot", script);
}

/** A bootstrap that hangs after a stage in its first run, and pivots in its second. */
export const RESUMED = `set -eu
cd /var/lib/tradewind/bootstrap
stage() {
    echo '{"step":"'"$1"'","event":"done","seconds":'"$2"'}' >>stages.jsonl
}
if [ ! -e stages.jsonl ]; then
    stage write-manifests 0.5
    sync
    sleep 100
fi
stage pivot 2
touch pivoted
`;
