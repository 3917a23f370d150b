// Answers by HTTP whether a driver of volumes answers, in the place of livenessprobe, whose module is not to be had.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"tradewind/csi-stand-ins/driver"
)

var (
	address  = flag.String("csi-address", "/run/csi/socket", "the driver's socket")
	endpoint = flag.String("http-endpoint", "0.0.0.0:9808", "where it is asked")
	timeout  = flag.Duration("probe-timeout", time.Second, "how long the driver may take")
)

func main() {
	flag.Parse()
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	client, err := driver.Connect(*address)
	if err != nil {
		return err
	}
	name, err := driver.Name(client)
	if err != nil {
		return err
	}
	fmt.Println("asks", name, "for", *endpoint)
	http.HandleFunc("/healthz", func(answer http.ResponseWriter, request *http.Request) {
		ctx, cancel := context.WithTimeout(request.Context(), *timeout)
		defer cancel()
		ready, err := driver.Answers(ctx, client)
		if err == nil && ready {
			fmt.Fprint(answer, "ok")
			return
		}
		fmt.Fprintln(os.Stderr, name, "is not ready:", err)
		http.Error(answer, fmt.Sprint("not ready: ", err), http.StatusInternalServerError)
	})
	return http.ListenAndServe(*endpoint, nil)
}
