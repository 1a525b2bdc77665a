# The broken copies of the cells: cell, what stands there, what stands there instead. Each is a plausible slip, and the
# cell's own test must catch it.
function(ag_write_mutants from to)
  # Writes <to>/<cell>_mutant.v, with the module renamed; it uses the good copies of other cells.
  macro(mutant cell old new)
    file(READ "${from}/${cell}.v" text)
    string(FIND "${text}" "${old}" found)
    if(found EQUAL -1)
      message(FATAL_ERROR "mutants.cmake: ${cell}.v does not hold \"${old}\" any more")
    endif()
    string(REPLACE "${old}" "${new}" text "${text}")
    string(REPLACE "module ${cell} " "module ${cell}_mutant " text "${text}")
    file(CONFIGURE OUTPUT "${to}/${cell}_mutant.v" CONTENT "@text@" @ONLY)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${from}/${cell}.v")
  endmacro()

  # a full FIFO takes one more word
  mutant(ag_fifo         "= head != FULL"                     "= 1'b1")
  # the spare word is lost
  mutant(ag_skid         "s_ready ? s_data : spare"           "s_data")
  # write first
  mutant(ag_line_memory  "<= mem[at]"                         "<= wdata")
  # any carry will do
  mutant(ag_equal        "sum[GROUPS]"                        "sum[GROUPS] || equal[0]")
  # reads what it writes
  mutant(ag_row_memory   "<= mem[raddr]"                      "<= mem[waddr]")
  # writes where it reads
  mutant(ag_held_memory  "mem[read_at]"                       "mem[addr]")
  # the delay is one step short
  mutant(ag_line_address "addr == words"                      "addr + 1'b1 == words")
  # the row never ends
  mutant(ag_line_follower "clear || wraps"                    "clear")
  # done where the last row starts
  mutant(ag_scan         "done || (col_end &&"                "done || (")
  # every step is a new row
  mutant(ag_raster       "(step && row_end)"                  "(row_end)")
  # an element beside a row of the stream
  mutant(ag_row_span     "(row_before && in_row)"            "row_before")
  # goes on behind the last row
  mutant(ag_span         "(row_before && first_row)) && !ends" "(row_before && first_row))")
  # a row is a position short
  mutant(ag_row_end      "next_x == last"                     "next_x + ONE == last")
  # rows are counted by the phase of the columns
  mutant(ag_phase        "y_phase <= y_end"                   "y_phase <= x_end")
  # the row after the last of the top is still the one before
  mutant(ag_pad          "row > top &&"                       "row > top + 1 &&")
  # a place past the period is not brought back
  mutant(ag_fold         "wrapped[PW] ?"                      "!wrapped[PW] ?")
  # a leg more is made of rows that are no more
  mutant(ag_legs         "left < leg_rows ? left"             "1'b0 ? left")
  # the last vector of a row is not finished before the next begins
  mutant(ag_skip         "!(flush && takes)"                  "1'b0")
  # rotates by single bits
  mutant(ag_rotate       "WIDTH << i"                         "1 << i")
  # a clock too early
  mutant(ag_rate         "= CLOCKS - 1;"                      "= CLOCKS - 2;")
  # the second burst of a row does not start at its block
  mutant(ag_axi_address  "[OW-1:LB] : {LM{1'b0}}"             "[OW-1:LB] : beat[LM-1:0]")
  # strobes change while a beat is offered
  mutant(ag_axi_guard    "(!w_valid || w_ready)"              "(1'b1)")
  # asks for one beat more than there is room for
  mutant(ag_axi_read     "space > len"                        "space >= len")
  # strobes in front of a row that is not aligned
  mutant(ag_axi_write    "(begun || !below) &&"               "")
  # arguments change under a launch that waits
  mutant(ag_axi_lite     "is_arg && !waits ?"                 "is_arg ?")
  # rows lie one behind the other, whatever the pitch
  mutant(ag_table_fill   "row_end ? next_row :"               "1'b0 ? next_row :")
  # rows that end early are not filled
  mutant(ag_axis_in      "(fill_row || (pass && f_last))"     "fill_row")
  # TLAST a vector early where the row's last vector is not full
  mutant(ag_axis_out     "{CW - 1{1'b0}}, full_end}"          "{CW - 1{1'b0}}, 1'b1}")
  # the last word of a row waits for a whole one
  mutant(ag_gearbox      "(fits || in_end)"                   "fits")
  # the second port reads at the first's address
  mutant(ag_rom          "address[p*ADDR_W+:AW]"              "address[0+:AW]")
  # where reader and writer share an address, the writer has none, and the first reader's is written
  mutant(ag_table        "SHARED && write ? write_address[AW-1:0]" "SHARED && 1'b0 ? write_address[AW-1:0]")
  # a bank that was not asked gives its word, too
  mutant(ag_table_banks  "& {WIDTH{gave[p]}}"                 "")
  # an element below 32 bits is written before it has come
  mutant(ag_table_load   "WIDTH > 32 ? 2'd2 : 2'd1"           "WIDTH > 32 ? 2'd2 : 2'd0")
  # a quotient bit has the wrong sense
  mutant(ag_div          "found  = !d[B_W]"                  "found  = d[B_W]")
  # the rest is made up for in the wrong direction
  mutant(ag_sqrt         "q ^ {k - 1{q[0]}}"                  "q ^ {k - 1{!q[0]}}")
  # the first step begins with what the last division left
  mutant(ag_div_loop     "load ? i_rest :"                    "1'b0 ? i_rest :")
  # one clock late where the next root begins at once
  mutant(ag_sqrt_loop    "TURNS < CLOCKS"                     "TURNS <= CLOCKS")
endfunction()
