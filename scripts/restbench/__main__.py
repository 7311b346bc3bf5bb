from restbench.cli import main

main()
