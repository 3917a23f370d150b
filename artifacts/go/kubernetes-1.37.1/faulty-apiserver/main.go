// kube-apiserver with a fault, for tests of what notices it. Everything else is Kubernetes' own, of the version next to this folder.
//
//	FAULT        slow, refuse-writes, forbid-writes or leak-watches
//	FAULT_AFTER  how long after its start the fault begins: 30s
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"
	_ "time/tzdata"

	"github.com/spf13/cobra"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/component-base/cli"
	basecompatibility "k8s.io/component-base/compatibility"
	logsapi "k8s.io/component-base/logs/api/v1"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	_ "k8s.io/component-base/metrics/prometheus/workqueue"
	"k8s.io/component-base/version/verflag"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

func main() {
	fault, err := faultNamed(os.Getenv("FAULT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	after, err := time.ParseDuration(os.Getenv("FAULT_AFTER"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "FAULT_AFTER:", err)
		os.Exit(1)
	}
	os.Exit(cli.Run(command(beginning(after, fault))))
}

func command(fault decorator) *cobra.Command {
	run := options.NewServerRunOptions()
	globals := run.GenericServerRunOptions.ComponentGlobalsRegistry
	ctx := genericapiserver.SetupSignalContext()
	command := &cobra.Command{
		Use:          "kube-apiserver",
		SilenceUsage: true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			rest.SetDefaultWarningHandler(rest.NoWarnings{})
			return globals.Set()
		},
		RunE: func(*cobra.Command, []string) error {
			verflag.PrintAndExitIfRequested()
			if err := logsapi.ValidateAndApply(run.Logs, globals.FeatureGateFor(basecompatibility.DefaultKubeComponent)); err != nil {
				return err
			}
			completed, err := run.Complete(ctx)
			if err != nil {
				return err
			}
			if errs := completed.Validate(); len(errs) > 0 {
				return utilerrors.NewAggregate(errs)
			}
			return serve(ctx, completed, fault)
		},
	}
	sets := run.Flags()
	verflag.AddFlags(sets.FlagSet("global"))
	for _, set := range sets.FlagSets {
		command.Flags().AddFlagSet(set)
	}
	return command
}

// serve is Kubernetes' own chain of servers, of which the outermost passes requests on through the fault.
func serve(ctx context.Context, completed options.CompletedOptions, fault decorator) error {
	name, err := cache.NewInformerName("kube-apiserver")
	if err != nil {
		return err
	}
	completed.InformerName = name
	config, err := app.NewConfig(completed)
	if err != nil {
		return err
	}
	outermost := config.Aggregator.GenericConfig
	chain := outermost.BuildHandlerChainFunc
	outermost.BuildHandlerChainFunc = func(handler http.Handler, c *genericapiserver.Config) http.Handler {
		return chain(fault(handler, c), c)
	}
	complete, err := config.Complete()
	if err != nil {
		return err
	}
	server, err := app.CreateServerChain(complete)
	if err != nil {
		return err
	}
	prepared, err := server.PrepareRun()
	if err != nil {
		return err
	}
	return prepared.Run(ctx)
}
